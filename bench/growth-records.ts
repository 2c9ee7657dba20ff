import type { WriteTransaction } from '../core/store/store';
import {
	attributeRecord,
	fileRecord,
	messageRecord,
	messageSecrets,
	relationshipRecord,
	relationshipSecrets,
	templateRecord,
} from '../test/support/records';

/*
 * Records of a grown account. The oldest ones have the values that a list looks for, and all later
 * ones have others: a list that reads from the newest record towards the oldest meets them last.
 */

/** Number of the oldest records with values of their own: a little more than a page. */
const rareCount = 120;

export const rarePeer = 'did:e:example.com:dids:rare';
export const rareTemplate = 'RLTrare';
export const rareSubject = 'Your appointment';
export const commonSubject = 'Your invoice';
/** Peer of every second later record. */
export const largePeer = 'did:e:example.com:dids:large';

/** Creation time of a record: one in a minute. */
export const timeOf = (number: number): string =>
	new Date(Date.UTC(2030, 0, 1) + number * 60_000).toISOString();
const farFuture = new Date(Date.UTC(2300, 0, 1)).toISOString();
const past = new Date(Date.UTC(2020, 0, 1)).toISOString();
const key = 'A'.repeat(43);

/** Adds one record to each collection. */
export async function insertRecords(
	tx: WriteTransaction,
	number: number,
	own: string,
): Promise<void> {
	const isRare = number < rareCount;
	const suffix = String(number).padStart(14, '0');
	const createdAt = timeOf(number);
	const onePeer = isRare ? `${rarePeer}${number}` : `did:e:example.com:dids:peer${number}`;
	const manyPeer = number % 2 === 0 ? largePeer : onePeer;
	const peer = isRare ? rarePeer : manyPeer;
	// The newest records of an account that mostly sends are its own ones.
	const isSent = !isRare && number % 10 !== 0;
	const [from, to] = isSent ? [own, peer] : [peer, own];
	const subject = isRare ? rareSubject : commonSubject;
	const created = {
		isOwn: !isRare,
		createdBy: isRare ? rarePeer : own,
		createdAt,
		expiresAt: isRare ? farFuture : past,
	};
	const message = {
		isOwn: isSent,
		createdBy: from,
		createdAt,
		content: isRare
			? { '@type': 'ArbitraryMessageContent', value: {}, subject }
			: { '@type': 'Mail', to: [to], cc: [], subject, body: 'The quick brown fox. '.repeat(15) },
		recipients: [{ address: to, relationshipId: `REL${suffix}` }],
		...(isSent || isRare ? {} : { wasReadAt: timeOf(number + 1) }),
	};
	await tx.messages.insert(messageRecord(`MSG${suffix}`, message), messageSecrets);
	const template = templateRecord(number === 0 ? rareTemplate : `RLT${suffix}`, created);
	await tx.templates.insert(template, { secretKey: key });
	const relationship = relationshipRecord(`REL${suffix}`, {
		status: isRare ? 'Terminated' : 'Active',
		peer: onePeer,
		peerPublicKey: key,
		templateId: isRare ? rareTemplate : 'RLTcommon',
		template,
		createdAt,
	});
	await tx.relationships.insert(relationship, relationshipSecrets);
	// Every second attribute is an own one; a peer has shared the others.
	const isOwn = number % 2 === 0;
	const value = isRare
		? ({ '@type': 'GivenName', value: 'Lin' } as const)
		: ({ '@type': 'DisplayName', value: `Name ${number}` } as const);
	const attribute = attributeRecord(`ATT${suffix}`, {
		createdAt,
		content: { '@type': 'IdentityAttribute', owner: isOwn ? own : onePeer, value },
		...(isOwn ? {} : { shareInfo: { peer: onePeer, requestReference: `REQ${suffix}` } }),
	});
	await tx.attributes.insert(attribute, undefined);
	const itemType = isRare ? 'ConsentRequestItem' : 'AuthenticationRequestItem';
	await tx.requests.insert(
		{
			id: `REQ${suffix}`,
			isOwn: !isRare,
			peer,
			createdAt,
			status: isRare ? 'Decided' : 'Completed',
			content: {
				'@type': 'Request',
				items: [{ '@type': itemType, mustBeAccepted: true, title: 'Title', consent: 'Text' }],
			},
			statusLog: [],
		},
		undefined,
	);
	const keys = { secretKey: key, contentKey: key };
	await tx.files.insert(fileRecord(`FIL${suffix}`, { ...created, owner: own }), keys);
	const token = { ...created, id: `TOK${suffix}`, createdByDevice: 'DVC1' };
	await tx.tokens.insert(token, { secretKey: key, content: {} });
}
