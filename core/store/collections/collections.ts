import type { z } from 'zod';
import {
	querySubject,
	attributeListenerSchema,
	attributeRecordSchema,
} from '../../model/record/attribute';
import { activeDeletionStatuses, deletionProcessSchema } from '../../model/record/deletion-process';
import { fileRecordSchema, fileSecretsSchema } from '../../model/record/file';
import { identityRecordSchema, identitySecretsSchema } from '../../model/record/identity';
import { identityMetadataSchema, identityMetadataSlot } from '../../model/record/identity-metadata';
import { localNotificationSchema } from '../../model/record/local-notification';
import {
	messageRecordSchema,
	messageSecretsSchema,
	sendIntentRecordSchema,
	sendIntentSecretsSchema,
} from '../../model/record/message';
import { objectIntentSchema } from '../../model/record/object-intent';
import {
	relationshipIntentRecordSchema,
	relationshipIntentSecretsSchema,
	relationshipRecordSchema,
	relationshipSecretsSchema,
} from '../../model/record/relationship';
import { requestRecordSchema } from '../../model/record/request';
import { draftSchema, settingSchema } from '../../model/record/setting';
import { failedSubjectOf, inboxEventSchema, syncStateSchema } from '../../model/record/sync';
import { templateRecordSchema, templateSecretsSchema } from '../../model/record/template';
import { tokenRecordSchema, tokenSecretsSchema } from '../../model/record/token';
import {
	flag,
	integer,
	member,
	sealedText,
	sealedValues,
	text,
	type ColumnDeclaration,
	type ValuesDeclaration,
} from './columns';
import type { OpenWork } from './collection-types';
import { attributeColumns, requestColumns } from './content-columns';
import type {
	AttributeListenerField,
	DeletionProcessField,
	DraftField,
	FileField,
	IdentityMetadataField,
	InboxField,
	LocalNotificationField,
	MessageField,
	ObjectIntentField,
	RelationshipField,
	RelationshipIntentField,
	RequestField,
	SendIntentField,
	SettingField,
	TemplateField,
	TokenField,
} from '../store';

export interface CollectionDeclaration<Record extends { id: string }, Field extends string> {
	readonly table: string;
	readonly record: z.ZodType<Record>;
	/** schema of the secrets; absent when the collection has none */
	readonly secrets?: z.ZodType;
	/**
	 * True if no other party can supply a lost row again, so that it must reach the disk before the
	 * commit is reported.
	 */
	readonly irreplaceable?: boolean;
	/** True if decrypted secrets are cached in memory, because every message needs them. */
	readonly cachesDecryptedSecrets?: boolean;
	/** True if its records are shown to callers without the key, and so are never sealed. */
	readonly isReadWithoutKey?: boolean;
	/** open work of the collection; absent when a sync never works on its records by itself */
	readonly openWork?: OpenWork<Field>;
	readonly columns: {
		readonly [Name in Field]: ColumnDeclaration<Record> | ValuesDeclaration<Record>;
	};
}

/*
 * Functions of records are contravariant, so code that holds a column of this type casts the
 * record.
 */
export type AnyColumn = ColumnDeclaration<never> | ValuesDeclaration<never>;
export interface AnyCollection {
	readonly table: string;
	readonly record: z.ZodType;
	readonly secrets?: z.ZodType;
	readonly irreplaceable?: boolean;
	readonly cachesDecryptedSecrets?: boolean;
	readonly isReadWithoutKey?: boolean;
	readonly openWork?: OpenWork<string>;
	readonly columns: { readonly [field: string]: AnyColumn };
}

type RecordOf<Schema extends z.ZodType> = z.output<Schema> & { id: string };

function declare<Schema extends z.ZodType<{ id: string }>, Field extends string>(declaration: {
	table: string;
	record: Schema;
	secrets?: z.ZodType;
	irreplaceable?: boolean;
	cachesDecryptedSecrets?: boolean;
	isReadWithoutKey?: boolean;
	openWork?: OpenWork<Field>;
	columns: {
		[Name in Field]: ColumnDeclaration<RecordOf<Schema>> | ValuesDeclaration<RecordOf<Schema>>;
	};
}): CollectionDeclaration<RecordOf<Schema>, Field> {
	return declaration as unknown as CollectionDeclaration<RecordOf<Schema>, Field>;
}

/**
 * All collections of an account. `migrations` creates the tables and indexes; a test compares the
 * two.
 */
export const collections = {
	identity: declare({
		table: 'identity',
		record: identityRecordSchema,
		secrets: identitySecretsSchema,
		irreplaceable: true,
		isReadWithoutKey: true,
		columns: { state: text<{ state: string }>((r) => r.state) },
	}),
	attributes: declare({
		table: 'attributes',
		record: attributeRecordSchema,
		columns: attributeColumns,
	}),
	attributeListeners: declare<typeof attributeListenerSchema, AttributeListenerField>({
		table: 'attribute_listeners',
		record: attributeListenerSchema,
		columns: {
			peer: sealedText((r) => r.peer),
			asked: sealedText((r) => querySubject(r.query)),
		},
	}),
	localNotifications: declare<typeof localNotificationSchema, LocalNotificationField>({
		table: 'local_notifications',
		record: localNotificationSchema,
		columns: {
			isOwn: flag((r) => r.isOwn),
			peer: sealedText((r) => r.peer),
			createdAt: text((r) => r.createdAt),
			status: text((r) => r.status),
			receivedByDevice: text((r) => r.receivedByDevice),
			sourceReference: text((r) => r.source.reference),
		},
	}),
	identityMetadata: declare<typeof identityMetadataSchema, IdentityMetadataField>({
		table: 'identity_metadata',
		record: identityMetadataSchema,
		columns: {
			reference: sealedText((r) => r.reference),
			slot: sealedText((r) => identityMetadataSlot(r)),
		},
	}),
	settings: declare<typeof settingSchema, SettingField>({
		table: 'settings',
		record: settingSchema,
		columns: {
			key: sealedText((r) => r.key),
			scope: text((r) => r.scope),
			reference: sealedText((r) => r.reference),
			createdAt: text((r) => r.createdAt),
			succeedsItem: text((r) => r.succeedsItem),
			succeedsAt: text((r) => r.succeedsAt),
		},
	}),
	drafts: declare<typeof draftSchema, DraftField>({
		table: 'drafts',
		record: draftSchema,
		columns: {
			type: sealedText((r) => r.type),
			createdAt: text((r) => r.createdAt),
			lastModifiedAt: text((r) => r.lastModifiedAt),
		},
	}),
	requests: declare<typeof requestRecordSchema, RequestField>({
		table: 'requests',
		record: requestRecordSchema,
		openWork: { where: { field: 'pending', op: 'exists' }, retriedBy: 'record' },
		columns: requestColumns,
	}),
	templates: declare<typeof templateRecordSchema, TemplateField>({
		table: 'templates',
		record: templateRecordSchema,
		secrets: templateSecretsSchema,
		columns: {
			isOwn: flag((r) => r.isOwn),
			createdAt: text((r) => r.createdAt),
			expiresAt: text((r) => r.expiresAt),
			createdBy: sealedText((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			maxNumberOfAllocations: integer((r) => r.maxNumberOfAllocations),
			forIdentity: sealedText((r) => r.forIdentity),
			title: sealedText((r) => member(r.content, 'title')),
			templateKeyId: text((r) => r.templateKey.id),
			deletedAt: text((r) => r.deletedAt),
		},
	}),
	relationships: declare<typeof relationshipRecordSchema, RelationshipField>({
		table: 'relationships',
		record: relationshipRecordSchema,
		secrets: relationshipSecretsSchema,
		cachesDecryptedSecrets: true,
		openWork: { where: { field: 'operation', op: 'exists' }, retriedBy: 'record' },
		columns: {
			peer: sealedText((r) => r.peer),
			status: text((r) => r.status),
			templateId: text((r) => r.templateId),
			createdAt: text((r) => r.createdAt),
			createdByUs: flag((r) => r.createdByUs),
			operation: text((r) => r.operation),
			notBefore: text((r) => r.retry?.notBefore),
		},
	}),
	relationshipIntents: declare<typeof relationshipIntentRecordSchema, RelationshipIntentField>({
		table: 'relationship_intents',
		record: relationshipIntentRecordSchema,
		secrets: relationshipIntentSecretsSchema,
		irreplaceable: true,
		columns: { templateId: text((r) => r.templateId) },
	}),
	messages: declare<typeof messageRecordSchema, MessageField>({
		table: 'messages',
		record: messageRecordSchema,
		secrets: messageSecretsSchema,
		columns: {
			isOwn: flag((r) => r.isOwn),
			createdBy: sealedText((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			createdAt: text((r) => r.createdAt),
			contentType: text((r) => member(r.content, '@type')),
			subject: sealedText((r) => member(r.content, 'subject')),
			body: sealedText((r) => member(r.content, 'body')),
			wasReadAt: text((r) => r.wasReadAt),
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
		},
	}),
	sendIntents: declare<typeof sendIntentRecordSchema, SendIntentField>({
		table: 'send_intents',
		record: sendIntentRecordSchema,
		secrets: sendIntentSecretsSchema,
		openWork: { where: { field: 'state', op: 'in', value: ['prepared'] }, retriedBy: 'record' },
		columns: {
			idempotencyKey: sealedText((r) => r.idempotencyKey),
			state: text((r) => r.state),
			createdAt: text((r) => r.createdAt),
			notBefore: text((r) => r.retry?.notBefore),
		},
	}),
	files: declare<typeof fileRecordSchema, FileField>({
		table: 'files',
		record: fileRecordSchema,
		secrets: fileSecretsSchema,
		// No other copy of the key of an uploaded file exists.
		irreplaceable: true,
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
			ownershipTokenHash: text((r) => r.ownershipTokenHash),
			idempotencyKey: sealedText((r) => r.idempotencyKey),
			tag: sealedValues((r) => r.tags ?? []),
		},
	}),
	tokens: declare<typeof tokenRecordSchema, TokenField>({
		table: 'tokens',
		record: tokenRecordSchema,
		secrets: tokenSecretsSchema,
		columns: {
			isOwn: flag((r) => r.isOwn),
			createdAt: text((r) => r.createdAt),
			createdBy: sealedText((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			expiresAt: text((r) => r.expiresAt),
			forIdentity: sealedText((r) => r.forIdentity),
		},
	}),
	deletionProcesses: declare<typeof deletionProcessSchema, DeletionProcessField>({
		table: 'deletion_processes',
		record: deletionProcessSchema,
		openWork: {
			where: { field: 'status', op: 'in', value: activeDeletionStatuses },
			retriedBy: 'sync',
		},
		columns: { status: text((r) => r.status) },
	}),
	objectIntents: declare<typeof objectIntentSchema, ObjectIntentField>({
		table: 'object_intents',
		record: objectIntentSchema,
		openWork: { retriedBy: 'record' },
		columns: { notBefore: text((r) => r.retry?.notBefore) },
	}),
	inbox: declare<typeof inboxEventSchema, InboxField>({
		table: 'inbox',
		record: inboxEventSchema,
		irreplaceable: true,
		openWork: { where: { field: 'state', op: 'in', value: ['pending'] }, retriedBy: 'record' },
		columns: {
			state: text((r) => r.state),
			runId: text((r) => r.runId),
			createdAt: text((r) => r.createdAt),
			notBefore: text((r) => r.notBefore),
			failedSubject: sealedText(failedSubjectOf),
		},
	}),
	syncState: declare<typeof syncStateSchema, never>({
		table: 'sync_state',
		record: syncStateSchema,
		columns: {},
	}),
} as const;

export type CollectionName = keyof typeof collections;

export function isValues(column: AnyColumn): column is ValuesDeclaration<never> {
	return 'values' in column;
}

/**
 * Derives the column name from a declared field, so that no text of a caller ever reaches SQL as a
 * name.
 */
export function columnName(field: string): string {
	return `c_${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}
