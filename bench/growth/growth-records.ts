import type { AttributeRecord } from '../../core/model/record/attribute';
import type { FileRecord } from '../../core/model/record/file';
import type { MessageRecord } from '../../core/model/record/message';
import type { RelationshipRecord } from '../../core/model/record/relationship';
import type { RequestRecord } from '../../core/model/record/request';
import type { InboxEvent } from '../../core/model/record/sync';
import type { TemplateRecord } from '../../core/model/record/template';
import type { TokenRecord } from '../../core/model/record/token';
import type { WriteTransaction } from '../../core/store/store';

/*
 * Records of a grown account. The oldest ones have the values that a list looks for, and all later
 * ones have others: a list that reads from the newest record towards the oldest meets them last.
 */

/** Number of the oldest records with values of their own: a little more than a page. */
export const rareCount = 60;

export interface Seeding {
	readonly own: string;
	/** number of the first new record, and of the first record that is not inserted */
	readonly from: number;
	readonly to: number;
}

export const rarePeer = 'did:e:example.com:dids:rare';
export const rareTemplate = 'RLTrare';
export const rareSubject = 'Your appointment';
export const commonSubject = 'Your invoice';
export const rareTitle = 'Opening hours';
/** peer of every second later record */
export const largePeer = 'did:e:example.com:dids:large';

const day = 86_400_000;
const start = Date.UTC(2030, 0, 1);

/** Creation time of a record: one in a minute. */
export const timeOf = (number: number): string => new Date(start + number * 60_000).toISOString();
export const farFuture = new Date(start + 100_000 * day).toISOString();
const past = new Date(Date.UTC(2020, 0, 1)).toISOString();

const publicKey = 'A'.repeat(43);
const padded = (number: number): string => String(number).padStart(14, '0');
const isRare = (number: number): boolean => number < rareCount;
const peerOf = (number: number): string => {
	if (isRare(number)) return rarePeer;
	return number % 2 === 0 ? largePeer : `did:e:example.com:dids:peer${number}`;
};

function message(number: number, own: string): MessageRecord {
	const peer = peerOf(number);
	// The newest records of an account that mostly sends are its own ones.
	const isOwn = !isRare(number) && number % 10 !== 0;
	const [from, to] = isOwn ? [own, peer] : [peer, own];
	const subject = isRare(number) ? rareSubject : commonSubject;
	return {
		id: `MSG${padded(number)}`,
		isOwn,
		createdBy: from,
		createdByDevice: 'DVC00000000000000001',
		createdAt: timeOf(number),
		content: isRare(number)
			? { '@type': 'ArbitraryMessageContent', value: {}, subject }
			: { '@type': 'Mail', to: [to], cc: [], subject, body: 'The quick brown fox. '.repeat(15) },
		recipients: [{ address: to, relationshipId: `REL${padded(number)}` }],
		attachments: [],
		...(isOwn || isRare(number) ? {} : { wasReadAt: timeOf(number + 1) }),
	};
}

function template(number: number, own: string): TemplateRecord {
	return {
		id: isRare(number) && number === 0 ? rareTemplate : `RLT${padded(number)}`,
		isOwn: !isRare(number),
		createdBy: isRare(number) ? rarePeer : own,
		createdByDevice: 'DVC00000000000000001',
		createdAt: timeOf(number),
		expiresAt: isRare(number) ? farFuture : past,
		content: {
			'@type': 'ArbitraryRelationshipTemplateContent',
			value: {},
			title: isRare(number) ? rareTitle : `Title ${number}`,
		},
		identity: { address: own, publicKey },
		templateKey: { id: `TPK${padded(number)}`, publicKey },
	};
}

function relationship(number: number, own: string): RelationshipRecord {
	return {
		id: `REL${padded(number)}`,
		status: isRare(number) ? 'Terminated' : 'Active',
		peer: isRare(number) ? `${rarePeer}${number}` : `did:e:example.com:dids:peer${number}`,
		peerPublicKey: publicKey,
		createdByUs: false,
		templateId: isRare(number) ? rareTemplate : 'RLTcommon',
		template: template(0, own),
		creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: {} },
		auditLog: [],
		createdAt: timeOf(number),
	};
}

function attribute(number: number, own: string): AttributeRecord {
	// Every second attribute is an own one; a peer has shared the others.
	const isOwn = isRare(number) ? number % 2 === 0 : number % 2 === 0;
	const peer = isRare(number) ? `${rarePeer}${number}` : `did:e:example.com:dids:peer${number}`;
	const type = isRare(number) ? 'GivenName' : 'DisplayName';
	return {
		id: `ATT${padded(number)}`,
		createdAt: timeOf(number),
		content: {
			'@type': 'IdentityAttribute',
			owner: isOwn ? own : peer,
			value: { '@type': type, value: isRare(number) ? 'Lin' : `Name ${number}` },
		},
		...(isOwn ? {} : { shareInfo: { peer, requestReference: `REQ${padded(number)}` } }),
	};
}

function request(number: number): RequestRecord {
	const itemType = isRare(number) ? 'ConsentRequestItem' : 'AuthenticationRequestItem';
	return {
		id: `REQ${padded(number)}`,
		isOwn: !isRare(number),
		peer: peerOf(number),
		createdAt: timeOf(number),
		status: isRare(number) ? 'Decided' : 'Completed',
		content: {
			'@type': 'Request',
			items: [{ '@type': itemType, mustBeAccepted: true, title: 'Title', consent: 'Text' }],
		},
		statusLog: [],
	};
}

function file(number: number, own: string): FileRecord {
	return {
		id: `FIL${padded(number)}`,
		isOwn: !isRare(number),
		owner: own,
		createdAt: timeOf(number),
		createdBy: isRare(number) ? rarePeer : own,
		createdByDevice: 'DVC00000000000000001',
		expiresAt: isRare(number) ? farFuture : past,
		filename: `${number}.pdf`,
		filesize: number,
		mimetype: 'application/pdf',
		cipherHash: 'hash',
		plaintextHash: 'hash',
		...(isRare(number) ? { title: rareTitle, tags: ['rare'] } : {}),
	};
}

function token(number: number, own: string): TokenRecord {
	return {
		id: `TOK${padded(number)}`,
		isOwn: !isRare(number),
		createdBy: isRare(number) ? rarePeer : own,
		createdByDevice: 'DVC00000000000000001',
		createdAt: timeOf(number),
		expiresAt: isRare(number) ? farFuture : past,
	};
}

/** Event that a sync has applied; a few of the oldest wait for a person. */
function inboxEvent(number: number): InboxEvent {
	const isParked = number < 10;
	return {
		id: `SYI${padded(number)}`,
		runId: `SYR${padded(number)}`,
		type: 'MessageReceived',
		index: 0,
		createdAt: timeOf(number),
		payload: { messageId: `MSG${padded(number)}` },
		state: isParked ? 'parked' : 'done',
		attempts: isParked ? 8 : 1,
		...(isParked ? { lastFailure: { code: 'error.test', message: 'It failed.' } } : {}),
	};
}

const secretKey = 'A'.repeat(43);

/** Adds one record to each collection. */
export async function insertRecords(
	tx: WriteTransaction,
	number: number,
	own: string,
): Promise<void> {
	await tx.messages.insert(message(number, own), { messageKey: 'a-message-key' });
	await tx.templates.insert(template(number, own), { secretKey });
	await tx.relationships.insert(relationship(number, own), { template: { secretKey } });
	await tx.attributes.insert(attribute(number, own), undefined);
	await tx.requests.insert(request(number), undefined);
	await tx.files.insert(file(number, own), { secretKey, contentKey: secretKey });
	await tx.tokens.insert(token(number, own), { secretKey, content: {} });
	await tx.inbox.insert(inboxEvent(number), undefined);
}
