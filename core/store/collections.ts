import type { z } from 'zod';
import type { Json, JsonObject } from '../model/json';
import { attributeRecordSchema, type AttributeRecord } from '../model/record/attribute';
import { deletionProcessSchema } from '../model/record/deletion-process';
import { fileRecordSchema, fileSecretsSchema } from '../model/record/file';
import { identityRecordSchema, identitySecretsSchema } from '../model/record/identity';
import {
	messageRecordSchema,
	messageSecretsSchema,
	sendIntentRecordSchema,
	sendIntentSecretsSchema,
} from '../model/record/message';
import { objectIntentSchema } from '../model/record/object-intent';
import {
	relationshipIntentRecordSchema,
	relationshipIntentSecretsSchema,
	relationshipRecordSchema,
	relationshipSecretsSchema,
} from '../model/record/relationship';
import { requestRecordSchema } from '../model/record/request';
import { inboxEventSchema, syncStateSchema } from '../model/record/sync';
import { templateRecordSchema, templateSecretsSchema } from '../model/record/template';
import { tokenRecordSchema, tokenSecretsSchema } from '../model/record/token';
import { attributeValueHash } from './attribute-value-hash';
import type {
	AttributeField,
	ColumnValue,
	DeletionProcessField,
	FileField,
	InboxField,
	MessageField,
	RelationshipField,
	RequestField,
	SendIntentField,
	TemplateField,
	TokenField,
} from './store';

export type ColumnType = 'text' | 'integer' | 'boolean';

/** A column that can be filtered and ordered by; its value is taken from the record. */
export interface ColumnDeclaration<Record> {
	readonly type: ColumnType;
	readonly from: (record: Record) => ColumnValue | undefined;
}

/** Several values of one record; they live in a side table. */
export interface ValuesDeclaration<Record> {
	readonly values: (record: Record) => readonly string[];
}

export interface CollectionDeclaration<Record extends { id: string }, Field extends string> {
	readonly table: string;
	readonly record: z.ZodType<Record>;
	/** absent when the collection keeps no secrets */
	readonly secrets?: z.ZodType;
	/** Nobody can be asked for a lost row again, so it reaches the disk before the commit is told. */
	readonly irreplaceable?: boolean;
	/** Looked at for every message: what was opened once is kept in memory. */
	readonly keepsOpened?: boolean;
	readonly columns: {
		readonly [Name in Field]: ColumnDeclaration<Record> | ValuesDeclaration<Record>;
	};
}

/* Functions of records are contravariant; whoever holds one of these casts the record. */
export type AnyColumn = ColumnDeclaration<never> | ValuesDeclaration<never>;
export interface AnyCollection {
	readonly table: string;
	readonly record: z.ZodType;
	readonly secrets?: z.ZodType;
	readonly irreplaceable?: boolean;
	readonly keepsOpened?: boolean;
	readonly columns: { readonly [field: string]: AnyColumn };
}

type RecordOf<Schema extends z.ZodType> = z.output<Schema> & { id: string };

function declare<Schema extends z.ZodType<{ id: string }>, Field extends string>(declaration: {
	table: string;
	record: Schema;
	secrets?: z.ZodType;
	irreplaceable?: boolean;
	keepsOpened?: boolean;
	columns: {
		[Name in Field]: ColumnDeclaration<RecordOf<Schema>> | ValuesDeclaration<RecordOf<Schema>>;
	};
}): CollectionDeclaration<RecordOf<Schema>, Field> {
	return declaration as unknown as CollectionDeclaration<RecordOf<Schema>, Field>;
}

const text = <Record>(from: (record: Record) => string | undefined): ColumnDeclaration<Record> => ({
	type: 'text',
	from,
});

const integer = <Record>(
	from: (record: Record) => number | undefined,
): ColumnDeclaration<Record> => ({ type: 'integer', from });

const flag = <Record>(
	from: (record: Record) => boolean | undefined,
): ColumnDeclaration<Record> => ({ type: 'boolean', from });

/** A text member of peer or user content; anything else counts as absent. */
function member(content: JsonObject, ...path: string[]): string | undefined {
	let value: Json | undefined = content;
	for (const name of path) {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
		value = Object.hasOwn(value, name) ? value[name] : undefined;
	}
	return typeof value === 'string' ? value : undefined;
}

const attributeColumns: { [Name in AttributeField]: ColumnDeclaration<AttributeRecord> } = {
	createdAt: text((r) => r.createdAt),
	owner: text((r) => member(r.content, 'owner')),
	contentType: text((r) => member(r.content, '@type')),
	valueType: text((r) => member(r.content, 'value', '@type')),
	key: text((r) => member(r.content, 'key')),
	peer: text((r) => r.shareInfo?.peer),
	sourceAttribute: text((r) => r.shareInfo?.sourceAttribute),
	parentId: text((r) => r.parentId),
	succeeds: text((r) => r.succeeds),
	succeededBy: text((r) => r.succeededBy),
	isDefault: flag((r) => r.isDefault),
	valueHash: text((r) => attributeValueHash(r.content)),
};

/** Every collection of an account. Tables and indexes: `migrations`; a test compares the two. */
export const collections = {
	identity: declare({
		table: 'identity',
		record: identityRecordSchema,
		secrets: identitySecretsSchema,
		irreplaceable: true,
		columns: { state: text<{ state: string }>((r) => r.state) },
	}),
	attributes: declare({
		table: 'attributes',
		record: attributeRecordSchema,
		columns: attributeColumns,
	}),
	requests: declare<typeof requestRecordSchema, RequestField>({
		table: 'requests',
		record: requestRecordSchema,
		columns: {
			isOwn: flag((r) => r.isOwn),
			peer: text((r) => r.peer),
			status: text((r) => r.status),
			createdAt: text((r) => r.createdAt),
			sourceReference: text((r) => r.source?.reference),
			responseSourceReference: text((r) => r.response?.source?.reference),
		},
	}),
	templates: declare<typeof templateRecordSchema, TemplateField>({
		table: 'templates',
		record: templateRecordSchema,
		secrets: templateSecretsSchema,
		columns: {
			isOwn: flag((r) => r.isOwn),
			createdAt: text((r) => r.createdAt),
			expiresAt: text((r) => r.expiresAt),
			createdBy: text((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			maxNumberOfAllocations: integer((r) => r.maxNumberOfAllocations),
			forIdentity: text((r) => r.forIdentity),
			title: text((r) => member(r.content, 'title')),
			templateKeyId: text((r) => r.templateKey.id),
			deletedAt: text((r) => r.deletedAt),
		},
	}),
	relationships: declare<typeof relationshipRecordSchema, RelationshipField>({
		table: 'relationships',
		record: relationshipRecordSchema,
		secrets: relationshipSecretsSchema,
		keepsOpened: true,
		columns: {
			peer: text((r) => r.peer),
			status: text((r) => r.status),
			templateId: text((r) => r.templateId),
			createdAt: text((r) => r.createdAt),
			createdByUs: flag((r) => r.createdByUs),
			operation: text((r) => r.operation),
		},
	}),
	relationshipIntents: declare<typeof relationshipIntentRecordSchema, never>({
		table: 'relationship_intents',
		record: relationshipIntentRecordSchema,
		secrets: relationshipIntentSecretsSchema,
		irreplaceable: true,
		columns: {},
	}),
	messages: declare<typeof messageRecordSchema, MessageField>({
		table: 'messages',
		record: messageRecordSchema,
		secrets: messageSecretsSchema,
		columns: {
			isOwn: flag((r) => r.isOwn),
			createdBy: text((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			createdAt: text((r) => r.createdAt),
			contentType: text((r) => member(r.content, '@type')),
			subject: text((r) => member(r.content, 'subject')),
			body: text((r) => member(r.content, 'body')),
			wasReadAt: text((r) => r.wasReadAt),
			participant: { values: (r) => [r.createdBy, ...r.recipients.map(({ address }) => address)] },
			recipient: { values: (r) => r.recipients.map(({ address }) => address) },
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
		columns: {
			idempotencyKey: text((r) => r.idempotencyKey),
			state: text((r) => r.state),
			createdAt: text((r) => r.createdAt),
		},
	}),
	files: declare<typeof fileRecordSchema, FileField>({
		table: 'files',
		record: fileRecordSchema,
		secrets: fileSecretsSchema,
		// The key of an uploaded file is nowhere else.
		irreplaceable: true,
		columns: {
			isOwn: flag((r) => r.isOwn),
			owner: text((r) => r.owner),
			createdAt: text((r) => r.createdAt),
			createdBy: text((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			expiresAt: text((r) => r.expiresAt),
			filename: text((r) => r.filename),
			filesize: integer((r) => r.filesize),
			mimetype: text((r) => r.mimetype),
			title: text((r) => r.title),
			description: text((r) => r.description),
			ownershipIsLocked: flag((r) => r.ownershipIsLocked),
			ownershipTokenHash: text((r) => r.ownershipTokenHash),
			tag: { values: (r) => r.tags ?? [] },
		},
	}),
	tokens: declare<typeof tokenRecordSchema, TokenField>({
		table: 'tokens',
		record: tokenRecordSchema,
		secrets: tokenSecretsSchema,
		columns: {
			isOwn: flag((r) => r.isOwn),
			createdAt: text((r) => r.createdAt),
			createdBy: text((r) => r.createdBy),
			createdByDevice: text((r) => r.createdByDevice),
			expiresAt: text((r) => r.expiresAt),
			forIdentity: text((r) => r.forIdentity),
		},
	}),
	deletionProcesses: declare<typeof deletionProcessSchema, DeletionProcessField>({
		table: 'deletion_processes',
		record: deletionProcessSchema,
		columns: { status: text((r) => r.status) },
	}),
	objectIntents: declare<typeof objectIntentSchema, never>({
		table: 'object_intents',
		record: objectIntentSchema,
		columns: {},
	}),
	inbox: declare<typeof inboxEventSchema, InboxField>({
		table: 'inbox',
		record: inboxEventSchema,
		irreplaceable: true,
		columns: {
			state: text((r) => r.state),
			runId: text((r) => r.runId),
			index: integer((r) => r.index),
			notBefore: text((r) => r.notBefore),
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

/** Column names are fixed here so that no name of a caller ever reaches SQL. */
export function columnName(field: string): string {
	return `c_${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}
