import {
	subjectOfQuery,
	attributeListenerRecordSchema,
	attributeRecordSchema,
} from '../../model/record/attribute';
import { deletionProcessRecordSchema } from '../../model/record/deletion-process';
import { fileRecordSchema, fileSecretsSchema } from '../../model/record/file';
import { identityRecordSchema, identitySecretsSchema } from '../../model/record/identity';
import {
	identityMetadataRecordSchema,
	identityMetadataSlot,
} from '../../model/record/identity-metadata';
import { localNotificationRecordSchema } from '../../model/record/local-notification';
import {
	messageRecordSchema,
	messageSecretsSchema,
	sendIntentRecordSchema,
	sendIntentSecretsSchema,
} from '../../model/record/message';
import {
	relationshipIntentRecordSchema,
	relationshipIntentSecretsSchema,
	relationshipRecordSchema,
	relationshipSecretsSchema,
} from '../../model/record/relationship';
import { requestRecordSchema } from '../../model/record/request';
import { draftRecordSchema, settingRecordSchema } from '../../model/record/setting';
import { failedSubjectOf, inboxEventSchema, syncStateSchema } from '../../model/record/sync';
import { templateRecordSchema, templateSecretsSchema } from '../../model/record/template';
import { tokenRecordSchema, tokenSecretsSchema } from '../../model/record/token';
import { dueAtOf, waitRecordSchema } from '../../model/record/wait';
import { workRecordSchema } from '../../model/record/work';
import {
	flag,
	integer,
	member,
	sealedText,
	sealedValues,
	text,
	type ValuesDeclaration,
} from './columns';
import { declare, type AnyColumn } from './collection-declaration';
import { httpCollections } from './http-collections';
import { attributeColumns, attributeIndexes, requestColumns } from './content-columns';

/**
 * All collections of an account: their tables, columns and indexes, from which `schema` creates the
 * tables and the other files of this folder build the statements.
 */
export const collections = {
	identity: declare(identityRecordSchema, {
		table: 'identity',
		secrets: identitySecretsSchema,
		irreplaceable: true,
		isReadWithoutKey: true,
		columns: { state: text((r) => r.state) },
	}),
	attributes: declare(attributeRecordSchema, {
		table: 'attributes',
		indexes: attributeIndexes,
		columns: attributeColumns,
	}),
	attributeListeners: declare(attributeListenerRecordSchema, {
		table: 'attribute_listeners',
		indexes: { all: [{ fields: ['peer'] }, { fields: ['asked'] }] },
		columns: {
			peer: sealedText((r) => r.peer),
			// Kind of the query, and the value type or key that it asks for.
			asked: sealedText((r) => subjectOfQuery(r.query)),
		},
	}),
	localNotifications: declare(localNotificationRecordSchema, {
		table: 'local_notifications',
		indexes: {
			all: [{ fields: ['peer'] }, { fields: ['status'] }, { fields: ['sourceReference'] }],
		},
		columns: {
			isOwn: flag((r) => r.isOwn),
			peer: sealedText((r) => r.peer),
			createdAt: text((r) => r.createdAt),
			status: text((r) => r.status),
			receivedByDevice: text((r) => r.receivedByDevice),
			sourceReference: text((r) => r.source.reference),
		},
	}),
	identityMetadata: declare(identityMetadataRecordSchema, {
		table: 'identity_metadata',
		indexes: { all: [{ fields: ['reference'] }], unique: ['slot'] },
		columns: {
			reference: sealedText((r) => r.reference),
			// Reference and key together, which are unique.
			slot: sealedText((r) => identityMetadataSlot(r)),
		},
	}),
	settings: declare(settingRecordSchema, {
		table: 'settings',
		indexes: { all: [{ fields: ['key'] }, { fields: ['scope'] }], sparse: ['reference'] },
		columns: {
			key: sealedText((r) => r.key),
			scope: text((r) => r.scope),
			reference: sealedText((r) => r.reference),
			createdAt: text((r) => r.createdAt),
			succeedsItem: text((r) => r.succeedsItem),
			succeedsAt: text((r) => r.succeedsAt),
		},
	}),
	drafts: declare(draftRecordSchema, {
		table: 'drafts',
		indexes: { all: [{ fields: ['type'] }] },
		columns: {
			type: sealedText((r) => r.type),
			createdAt: text((r) => r.createdAt),
			lastModifiedAt: text((r) => r.lastModifiedAt),
		},
	}),
	requests: declare(requestRecordSchema, {
		table: 'requests',
		indexes: {
			all: [
				{ fields: ['isOwn'], rows: [1_000] },
				{ fields: ['isOwn', 'status'], rows: [5_000, 1_000] },
				{ fields: ['isOwn', 'createdAt'], rows: [5_000, 1] },
				{ fields: ['isOwn', 'peer'], rows: [5_000, 100] },
				{ fields: ['isOwn', 'peer', 'status'], rows: [5_000, 100, 50] },
			],
			sparse: ['peer', 'sourceReference', 'openUntil'],
		},
		columns: requestColumns,
	}),
	templates: declare(templateRecordSchema, {
		table: 'templates',
		secrets: templateSecretsSchema,
		indexes: {
			all: [
				{ fields: ['templateKeyId'] },
				{ fields: ['isOwn'], rows: [1_000] },
				{ fields: ['createdAt'] },
			],
			sparse: ['expiresAt', 'deletedAt', 'purpose'],
		},
		columns: {
			isOwn: flag((r) => r.isOwn),
			createdAt: text((r) => r.createdAt),
			expiresAt: text((r) => r.expiresAt),
			createdBy: sealedText((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			maxNumberOfAllocations: integer((r) => r.maxNumberOfAllocations),
			forIdentity: sealedText((r) => r.forIdentity),
			title: sealedText((r) => member(r.content, 'title')),
			purpose: sealedText((r) => r.purpose),
			templateKeyId: text((r) => r.templateKey.id),
			deletedAt: text((r) => r.deletedAt),
		},
	}),
	relationships: declare(relationshipRecordSchema, {
		table: 'relationships',
		secrets: relationshipSecretsSchema,
		cachesDecryptedSecrets: true,
		indexes: {
			all: [
				{ fields: ['peer'] },
				{ fields: ['templateId'] },
				{ fields: ['status'], rows: [1_000] },
			],
			sparse: ['purpose'],
		},
		columns: {
			peer: sealedText((r) => r.peer),
			status: text((r) => r.status),
			templateId: text((r) => r.templateId),
			purpose: sealedText((r) => r.template.purpose),
			createdAt: text((r) => r.createdAt),
			createdByUs: flag((r) => r.createdByUs),
		},
	}),
	relationshipIntents: declare(relationshipIntentRecordSchema, {
		table: 'relationship_intents',
		secrets: relationshipIntentSecretsSchema,
		irreplaceable: true,
		indexes: { all: [{ fields: ['templateId'] }] },
		columns: { templateId: text((r) => r.templateId) },
	}),
	messages: declare(messageRecordSchema, {
		table: 'messages',
		secrets: messageSecretsSchema,
		indexes: {
			all: [
				{ fields: ['createdBy'] },
				{ fields: ['createdAt'] },
				{ fields: ['isOwn'], rows: [1_000] },
				{ fields: ['isOwn', 'createdAt'], rows: [1_000, 1] },
				{ fields: ['isOwn'], without: 'wasReadAt', rows: [1_000] },
				{ fields: ['contentType'], rows: [500] },
				{ fields: ['contentType', 'createdAt'], rows: [500, 1] },
				{ fields: ['isOwn', 'contentType'], rows: [1_000, 400] },
				{ fields: ['isOwn', 'contentType', 'createdAt'], rows: [1_000, 400, 1] },
			],
		},
		columns: {
			isOwn: flag((r) => r.isOwn),
			createdBy: sealedText((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			createdAt: text((r) => r.createdAt),
			contentType: text((r) => member(r.content, '@type')),
			subject: sealedText((r) => member(r.content, 'subject')),
			body: sealedText((r) => member(r.content, 'body')),
			wasReadAt: text((r) => r.wasReadAt),
			// Creator and recipients.
			participant: sealedValues((r) => [
				r.createdBy,
				...r.recipients.map(({ address }) => address),
			]),
			recipient: sealedValues((r) => r.recipients.map(({ address }) => address)),
			recipientRelationshipId: {
				values: (r) =>
					r.recipients.map(({ relationshipId }) => relationshipId).filter((id) => id !== undefined),
			},
			attachment: { values: (r) => r.attachments },
			// Only the format of mails that differ from all others, so that these need no row.
			bodyFormat: {
				values: (r) => (member(r.content, 'bodyFormat') === 'Markdown' ? ['Markdown'] : []),
			},
			identity: sealedValues((r) => (r.identity === undefined ? [] : [r.identity])),
		},
	}),
	sendIntents: declare(sendIntentRecordSchema, {
		table: 'send_intents',
		secrets: sendIntentSecretsSchema,
		indexes: { all: [{ fields: ['state', 'createdAt'] }], unique: ['idempotencyKey'] },
		columns: {
			idempotencyKey: sealedText((r) => r.idempotencyKey),
			state: text((r) => r.state),
			createdAt: text((r) => r.createdAt),
		},
	}),
	files: declare(fileRecordSchema, {
		table: 'files',
		secrets: fileSecretsSchema,
		// No other copy of the key of an uploaded file exists.
		irreplaceable: true,
		indexes: {
			all: [
				{ fields: ['isOwn'], rows: [1_000] },
				{ fields: ['createdAt'] },
				{ fields: ['expiresAt'] },
			],
			unique: ['idempotencyKey'],
		},
		columns: {
			isOwn: flag((r) => r.isOwn),
			owner: sealedText((r) => r.owner),
			createdAt: text((r) => r.createdAt),
			createdBy: sealedText((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			expiresAt: text((r) => r.expiresAt),
			filename: sealedText((r) => r.filename),
			filesize: integer((r) => r.filesize),
			mimetype: sealedText((r) => r.mimetype),
			title: sealedText((r) => r.title),
			description: sealedText((r) => r.description),
			ownershipIsLocked: flag((r) => r.ownershipIsLocked),
			// SHA-256 (base64url) of the token; the token itself is sealed.
			ownershipTokenHash: text((r) => r.ownershipTokenHash),
			idempotencyKey: sealedText((r) => r.idempotencyKey),
			tag: sealedValues((r) => r.tags ?? []),
		},
	}),
	tokens: declare(tokenRecordSchema, {
		table: 'tokens',
		secrets: tokenSecretsSchema,
		indexes: {
			all: [
				{ fields: ['isOwn'], rows: [1_000] },
				{ fields: ['createdAt'] },
				{ fields: ['expiresAt'] },
			],
		},
		columns: {
			isOwn: flag((r) => r.isOwn),
			createdAt: text((r) => r.createdAt),
			createdBy: sealedText((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			expiresAt: text((r) => r.expiresAt),
			forIdentity: sealedText((r) => r.forIdentity),
		},
	}),
	deletionProcesses: declare(deletionProcessRecordSchema, {
		table: 'deletion_processes',
		columns: { status: text((r) => r.status) },
	}),
	work: declare(workRecordSchema, {
		table: 'work',
		indexes: { all: [{ fields: ['state', 'dueAt'] }] },
		columns: {
			kind: text((r) => r.kind),
			state: text((r) => r.state),
			dueAt: text((r) => r.dueAt),
		},
	}),
	inbox: declare(inboxEventSchema, {
		table: 'inbox',
		irreplaceable: true,
		indexes: {
			all: [{ fields: ['state', 'createdAt'] }, { fields: ['runId'] }],
			sparse: ['failedSubject'],
		},
		columns: {
			state: text((r) => r.state),
			runId: text((r) => r.runId),
			createdAt: text((r) => r.createdAt),
			notBefore: text((r) => r.notBefore),
			failedSubject: sealedText(failedSubjectOf),
		},
	}),
	waits: declare(waitRecordSchema, {
		table: 'waits',
		indexes: { all: [{ fields: ['subject'] }], sparse: ['peer', 'dueAt'] },
		columns: {
			peer: sealedText((r) => r.peer),
			subject: text((r) => r.subject),
			dueAt: text(dueAtOf),
		},
	}),
	...httpCollections,
	syncState: declare(syncStateSchema, {
		table: 'sync_state',
		columns: {},
	}),
} as const;

export type CollectionName = keyof typeof collections;

export function isValues(column: AnyColumn): column is ValuesDeclaration<object> {
	return 'values' in column;
}

/**
 * Derives the column name from a declared field, so that no text of a caller ever reaches SQL as a
 * name.
 */
export function columnName(field: string): string {
	return field === 'id'
		? field
		: `c_${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}
