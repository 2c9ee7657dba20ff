import type { WorkRecord } from '../../core/model/record/work';
import type { JsonObject } from '../../core/model/json';
import type { AttributeRecord } from '../../core/model/record/attribute';
import type { OutboxEvent } from '../../core/model/record/event';
import type { FileRecord } from '../../core/model/record/file';
import type { MessageRecord, SendIntentRecord } from '../../core/model/record/message';
import type { RelationshipRecord } from '../../core/model/record/relationship';
import type { TemplateRecord } from '../../core/model/record/template';
import type { Store, WriteTransaction } from '../../core/store/store';

/* Valid records with overridable parts. */

export const createdAt = '2030-01-01T00:00:00.000Z';
export const ownAddress = 'did:e:own';
export const peerAddress = 'did:e:peer';

export function messageRecord(id: string, parts: Partial<MessageRecord> = {}): MessageRecord {
	return {
		id,
		isOwn: false,
		createdBy: peerAddress,
		createdByDevice: 'DVCpeer',
		createdAt,
		content: { '@type': 'Mail', subject: `subject of ${id}`, body: 'body', to: [ownAddress] },
		recipients: [{ address: ownAddress, relationshipId: 'REL1' }],
		attachments: [],
		...parts,
	};
}

export const messageSecrets = { messageKey: 'a-message-key' };

export function templateRecord(id: string, parts: Partial<TemplateRecord> = {}): TemplateRecord {
	return {
		id,
		isOwn: true,
		createdBy: ownAddress,
		createdByDevice: 'DVCown',
		createdAt,
		content: { '@type': 'RelationshipTemplateContent', title: `title of ${id}` },
		identity: { address: ownAddress, publicKey: 'key' },
		templateKey: { id: `TPK${id}`, publicKey: 'key' },
		...parts,
	};
}

export function relationshipRecord(
	id: string,
	parts: Partial<RelationshipRecord> = {},
): RelationshipRecord {
	return {
		id,
		status: 'Active',
		peer: peerAddress,
		peerPublicKey: 'key',
		createdByUs: false,
		templateId: 'RLT1',
		template: templateRecord('RLT1'),
		creationContent: {},
		auditLog: [],
		createdAt,
		...parts,
	};
}

export const relationshipSecrets = { template: { secretKey: 'key' } };

export function fileRecord(id: string, parts: Partial<FileRecord> = {}): FileRecord {
	return {
		id,
		isOwn: true,
		owner: ownAddress,
		createdAt,
		createdBy: ownAddress,
		createdByDevice: 'DVCown',
		expiresAt: '9999-12-31T00:00:00.000Z',
		filename: `${id}.txt`,
		filesize: 1,
		mimetype: 'text/plain',
		cipherHash: 'hash',
		plaintextHash: 'hash',
		...parts,
	};
}

export function intentRecord(id: string, parts: Partial<SendIntentRecord> = {}): SendIntentRecord {
	return {
		id,
		state: 'prepared',
		createdAt,
		bodyHash: 'hash',
		recipients: [{ address: peerAddress, relationshipId: 'REL1' }],
		content: {},
		attachments: [],
		...parts,
	};
}

export function attributeRecord(id: string, parts: Partial<AttributeRecord> = {}): AttributeRecord {
	return {
		id,
		createdAt,
		content: {
			'@type': 'IdentityAttribute',
			owner: ownAddress,
			value: { '@type': 'DisplayName', value: id },
		},
		...parts,
	};
}

export function newEvent(
	data: JsonObject = { id: 'MSG1' },
	parts: Partial<OutboxEvent> = {},
): Omit<OutboxEvent, 'sequence'> {
	return { name: 'transport.messageReceived', createdAt, data, ...parts };
}

/** Appends the event and answers its number. */
export async function appendedTo(
	tx: WriteTransaction,
	event: ReturnType<typeof newEvent>,
): Promise<number> {
	await tx.outbox.append(event);
	return await tx.outbox.lastSequence();
}

export const workRecord = (
	id: string,
	kind: WorkRecord['kind'],
	parts: Partial<WorkRecord> = {},
): WorkRecord => ({
	...{ id, kind, state: 'waiting', since: createdAt, dueAt: '', attempts: 0 },
	...parts,
});

/** Open work about the object; undefined without any. */
export const workIn = async (store: Store, id: string): Promise<WorkRecord | undefined> =>
	(await store.read((tx) => tx.work.get(id)))?.record;
