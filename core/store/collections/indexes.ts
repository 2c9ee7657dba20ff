import { collections, type CollectionName } from './collections';
import type { CollectionTypes } from './collection-types';
import { keysOf } from '../../base/members';

export interface Indexes<Field extends string = string> {
	/** fields of each index of all rows */
	readonly full: ReadonlyArray<readonly Field[]>;
	/** fields with an index of their own that holds only the rows with a value */
	readonly sparse: readonly Field[];
	/**
	 * Fields with an index of the beginnings of their texts, for texts of any length that are also
	 * searched for their parts. It answers equality only and holds the rows with a value.
	 */
	readonly prefix: readonly Field[];
}

/** Number of characters in an index of beginnings. */
export const indexedPrefix = 64;

type Declared = {
	readonly [Name in CollectionName]?: Partial<Indexes<CollectionTypes[Name][2]>>;
};

/**
 * Indexes that `migrations` creates, named by the fields of the collections, so that lists are
 * built to use them; a test compares the two.
 */
const declared: Declared = {
	attributes: {
		full: [
			['valueType'],
			['valueType', 'owner', 'peer'],
			['canonicalValue'],
			['owner', 'peer'],
			['createdAt'],
		],
		sparse: [
			'key',
			'confidentiality',
			'isTechnical',
			'validFrom',
			'validTo',
			'wasViewedAt',
			'peer',
			'requestReference',
			'notificationReference',
			'sourceAttribute',
			'thirdPartyAddress',
			'parentId',
			'succeeds',
			'succeededBy',
			'deletionStatus',
			'deletionDate',
			'isDefault',
		],
	},
	attributeListeners: { full: [['peer'], ['asked']] },
	localNotifications: { full: [['peer'], ['status'], ['sourceReference']] },
	identityMetadata: { full: [['reference']], sparse: ['slot'] },
	settings: { full: [['key'], ['scope']], sparse: ['reference'] },
	drafts: { full: [['type']] },
	requests: {
		full: [['isOwn'], ['isOwn', 'status'], ['isOwn', 'createdAt']],
		sparse: ['peer', 'sourceReference', 'openUntil', 'pending', 'deliveryFailure'],
	},
	templates: {
		full: [['templateKeyId'], ['isOwn'], ['createdAt']],
		sparse: ['expiresAt', 'deletedAt'],
	},
	relationships: { full: [['peer'], ['templateId'], ['status']], sparse: ['operation'] },
	relationshipIntents: { full: [['templateId']] },
	messages: {
		full: [['createdBy'], ['createdAt'], ['isOwn'], ['isOwn', 'createdAt'], ['isOwn', 'wasReadAt']],
		prefix: ['contentType', 'subject'],
	},
	sendIntents: { full: [['state', 'createdAt']], sparse: ['idempotencyKey'] },
	files: { full: [['isOwn'], ['createdAt'], ['expiresAt']], sparse: ['idempotencyKey'] },
	tokens: { full: [['isOwn'], ['createdAt'], ['expiresAt']] },
	inbox: { full: [['state', 'createdAt'], ['runId']], sparse: ['failedSubject'] },
	waits: { full: [['subject']], sparse: ['peer', 'dueAt'] },
};

const byTable = new Map<string, Indexes>(
	keysOf(collections).map((name) => {
		const { full = [], sparse = [], prefix = [] } = declared[name] ?? {};
		return [collections[name].table, { full, sparse, prefix }];
	}),
);

export function indexesOf(table: string): Indexes {
	return byTable.get(table) ?? { full: [], sparse: [], prefix: [] };
}

/** True if the column itself is in an index, which limits the length of its texts. */
export function isIndexed(table: string, field: string): boolean {
	const { full, sparse } = indexesOf(table);
	return sparse.includes(field) || full.some((fields) => fields.includes(field));
}
