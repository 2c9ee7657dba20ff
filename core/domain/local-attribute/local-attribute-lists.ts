import type { Cancellable } from '../../base/abort';
import type { LocalAttributeListInput } from '../../facade/local-attributes';
import { isId } from '../../model/ids';
import {
	forwardingDetailsInputSchema,
	ownIdentityListSchema,
	peerListSchema,
	sharedLocalVersionsSchema,
} from '../../model/input/local-attribute';
import type { ListQueryInput } from '../../model/input/list-query';
import type { AttributeRecord } from '../../model/record/attribute';
import {
	localAttributeTypes,
	type ForwardingDetailsDto,
	type LocalAttributeDto,
	type LocalAttributeType,
} from '../../model/record/local-attribute';
import type { AttributeField, Condition, ReadTransaction, Store } from '../../store/store';
import { requireAttributeId } from '../attribute/attribute-input';
import { orMissing } from '../attribute/attribute-lists';
import { versionsOf } from '../attribute/succession/attribute-versions';
import type { Account } from '../identity/account';
import { onlyKnown, readQuery, type QueryField, type QueryFields } from '../query/collection-query';
import { toForwardingDetails, toLocalAttributes } from './local-attribute-dto';
import { forwardableTypes, kindOf, kindsConditions } from './local-attribute-kinds';
import { findShown, requireShown } from './local-attribute-lookup';
import { forwardingDetailsFields, kindsAsked, localAttributeFields } from './local-attribute-query';
import { matching } from '../query/conditions';
import { invalidInput } from '../input-errors';
import { parseInput } from '../validation';

type Conditions = ReadonlyArray<Condition<AttributeField>>;

const oldestFirst = { field: 'createdAt', direction: 'asc' } as const;
const isLatest = { field: 'succeededBy', op: 'missing' } as const;
/** ids in one condition; a query has at most 10,000 values */
const idsAtOnce = 5_000;

export interface LocalAttributeListsDependencies {
	readonly store: Store;
	readonly account: Pick<Account, 'address'>;
}

/** Lists of attributes in the form of version 7 (docs/protocol/connector-7.md 4.1, 4.2). */
export class LocalAttributeLists {
	constructor(private readonly dependencies: LocalAttributeListsDependencies) {}

	private get own(): string {
		return this.dependencies.account.address;
	}

	/** @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<LocalAttributeDto> {
		requireAttributeId(id);
		const [found] = await this.read(async (tx) => [await requireShown(tx, id, this.own)], options);
		if (found === undefined) throw new TypeError('A record that is shown has a form');
		return found;
	}

	/**
	 * Lists attributes of every kind and version; unknown fields of a query are ignored.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async all(
		input: LocalAttributeListInput = {},
		options: Cancellable = {},
	): Promise<LocalAttributeDto[]> {
		const { query = {}, where = [], after, ...rest } = input;
		const fields = localAttributeFields(this.own).all;
		const known = onlyKnown(query, { ...fields, '@type': true });
		return await this.read(async (tx) => {
			const { types, asked } = this.readQuery(await this.withRecordIds(tx, known), fields);
			const kinds = kindsConditions(types ?? localAttributeTypes, this.own);
			// The list continues after the attribute that callers see under this id.
			const place = after === undefined ? {} : { after: await this.recordId(tx, after) };
			const order = { orderBy: oldestFirst, ...rest, ...place };
			return recordsOf(
				await tx.attributes.list({ ...order, where: [...where, ...kinds, ...asked] }),
			);
		}, options);
	}

	/** @throws `error.runtime.validation.invalidPropertyValue` */
	async ownIdentity(input: unknown = {}, options: Cancellable = {}): Promise<LocalAttributeDto[]> {
		const { query, onlyLatestVersions } = parseInput(ownIdentityListSchema, input);
		const { where: asked } = readQuery(query, localAttributeFields(this.own).ownIdentity);
		const where: Conditions = [
			...kindsConditions(['OwnIdentityAttribute'], this.own),
			...asked,
			...(onlyLatestVersions ? [isLatest] : []),
		];
		return await this.read(
			async (tx) => recordsOf(await tx.attributes.list({ where, orderBy: oldestFirst })),
			options,
		);
	}

	/**
	 * Lists own attributes that the peer has, or had: first attributes with forwarding details
	 * for the peer, then attributes of the relationship with it.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async ownShared(input: unknown, options: Cancellable = {}): Promise<LocalAttributeDto[]> {
		const { peer, query, onlyLatestVersions, hideTechnical } = parseInput(peerListSchema, input);
		const { types, asked } = this.readQuery(query, localAttributeFields(this.own).ownShared);
		return await this.sharedWith(peer, {
			types: types ?? ['OwnIdentityAttribute', 'OwnRelationshipAttribute'],
			asked: [...asked, ...technical(hideTechnical)],
			onlyLatestVersions,
			options,
		});
	}

	/**
	 * Lists the attributes that the peer has shared.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async ofPeer(input: unknown, options: Cancellable = {}): Promise<LocalAttributeDto[]> {
		const { peer, query, onlyLatestVersions, hideTechnical } = parseInput(peerListSchema, input);
		const { types, asked } = this.readQuery(query, localAttributeFields(this.own).peer);
		const wanted = receivedTypes.filter((type) => types?.includes(type) ?? true);
		const where: Conditions = [
			...matching({ peer }),
			...kindsConditions(wanted, this.own),
			...asked,
			...(onlyLatestVersions ? [isLatest] : []),
			...technical(hideTechnical),
		];
		return await this.read(
			async (tx) => recordsOf(await tx.attributes.list({ where, orderBy: oldestFirst })),
			options,
		);
	}

	/** Lists the latest versions of all kinds that this account and the peer have. */
	async ofRelationship(peer: string, options: Cancellable = {}): Promise<LocalAttributeDto[]> {
		return await this.sharedWith(peer, {
			types: localAttributeTypes,
			asked: [],
			onlyLatestVersions: true,
			options,
		});
	}

	/**
	 * Lists the sharings of an attribute; none for kinds that cannot be forwarded.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.validation.invalidPropertyValue`
	 */
	async forwardingDetails(
		id: string,
		input: unknown = {},
		options: Cancellable = {},
	): Promise<ForwardingDetailsDto[]> {
		const { query } = parseInput(forwardingDetailsInputSchema, input);
		const { where: asked } = readQuery(query, forwardingDetailsFields);
		return await this.dependencies.store.read(async (tx) => {
			const source = await requireShown(tx, isId('attribute', id) ? id : '', this.own);
			const where: Conditions = [...matching({ sourceAttribute: source.id }), ...asked];
			const copies = recordsOf(await tx.attributes.list({ where }));
			return copies.flatMap((copy) => toForwardingDetails(copy) ?? []);
		}, options);
	}

	/** @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.recordNotFound` */
	async versions(id: string, options: Cancellable = {}): Promise<LocalAttributeDto[]> {
		requireAttributeId(id);
		return await this.read(
			async (tx) => await versionsOf(tx, await requireShown(tx, id, this.own)),
			options,
		);
	}

	/**
	 * Lists the versions that the peer has, newest first.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.validation.invalidPropertyValue`, also
	 * for an attribute of a kind that cannot be forwarded
	 */
	async sharedVersions(
		id: string,
		input: unknown,
		options: Cancellable = {},
	): Promise<LocalAttributeDto[]> {
		requireAttributeId(id);
		const { peer, onlyLatestVersions } = parseInput(sharedLocalVersionsSchema, input);
		return await this.read(async (tx) => {
			const record = await requireShown(tx, id, this.own);
			const kind = kindOf(record, this.own);
			if (kind === undefined || !forwardableTypes.includes(kind)) {
				throw invalidInput(
					`The Attribute '${id}' is a ${kind ?? 'copy'}, which cannot be forwarded.`,
					'attributeId',
				);
			}
			const versions = await versionsOf(tx, record);
			const copies = await copiesFor(tx, peer, versions);
			const shared = versions.filter((version) => copies.has(version.id));
			return onlyLatestVersions ? shared.slice(0, 1) : shared;
		}, options);
	}

	private async sharedWith(
		peer: string,
		{ types, asked, onlyLatestVersions, options }: SharedSelection,
	): Promise<LocalAttributeDto[]> {
		const kinds = kindsConditions(types, this.own);
		return await this.read(async (tx) => {
			const forwarded: AttributeRecord[] = [];
			const sources = await sourcesSharedWith(tx, peer, onlyLatestVersions);
			for (let start = 0; start < sources.length; start += idsAtOnce) {
				const ids = sources.slice(start, start + idsAtOnce);
				const where: Conditions = [{ field: 'id', op: 'in', value: ids }, ...kinds, ...asked];
				forwarded.push(...recordsOf(await tx.attributes.list({ where })));
			}
			const where: Conditions = [
				...matching({ peer }),
				...kinds,
				...asked,
				...(onlyLatestVersions ? [isLatest] : []),
			];
			return [...forwarded, ...recordsOf(await tx.attributes.list({ where }))];
		}, options);
	}

	/** Replaces the ids of other versions, as callers see them, by the ids of their records. */
	private async withRecordIds(tx: ReadTransaction, query: ListQueryInput): Promise<ListQueryInput> {
		const replaced: Record<string, string[]> = {};
		for (const name of ['succeeds', 'succeededBy']) {
			const given = query[name];
			const ids = typeof given === 'string' ? [given] : given;
			// Values of another type are refused when the query is read.
			if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) continue;
			replaced[name] = [];
			for (const id of ids) replaced[name].push(await this.recordId(tx, id));
		}
		return { ...query, ...replaced };
	}

	/** Returns other texts as they are. */
	private async recordId(tx: ReadTransaction, id: string): Promise<string> {
		return isId('attribute', id) ? ((await findShown(tx, id, this.own))?.id ?? id) : id;
	}

	/** Reads the kinds that a query asks for, and the conditions of its other fields. */
	private readQuery(query: unknown, fields: QueryFields<AttributeField>) {
		const kinds: { types?: LocalAttributeType[] } = {};
		const type: QueryField<AttributeField> = (given) => {
			kinds.types = kindsAsked(given);
			return [];
		};
		const { where: asked } = readQuery(query, { ...fields, '@type': type });
		return { ...kinds, asked };
	}

	private async read(
		select: (tx: ReadTransaction) => Promise<AttributeRecord[]>,
		options: Cancellable,
	): Promise<LocalAttributeDto[]> {
		return await this.dependencies.store.read(
			async (tx) => await toLocalAttributes(tx, await select(tx), this.own),
			options,
		);
	}
}

interface SharedSelection {
	readonly types: readonly LocalAttributeType[];
	readonly asked: Conditions;
	readonly onlyLatestVersions: boolean;
	readonly options: Cancellable;
}

const receivedTypes: readonly LocalAttributeType[] = [
	'PeerIdentityAttribute',
	'PeerRelationshipAttribute',
	'ThirdPartyRelationshipAttribute',
];

function recordsOf(entries: ReadonlyArray<{ readonly record: AttributeRecord }>) {
	return entries.map(({ record }) => record);
}

function technical(isHidden: boolean): Conditions {
	return isHidden ? [orMissing('isTechnical', { op: 'eq', value: false })] : [];
}

/**
 * Finds the copies of these versions that the peer has and has not deleted; those that it has
 * agreed to delete count.
 *
 * @returns copies by the ids of their sources
 */
export async function copiesFor(
	tx: ReadTransaction,
	peer: string,
	versions: readonly AttributeRecord[],
): Promise<Map<string, AttributeRecord>> {
	const entries = await tx.attributes.list({
		where: [
			...matching({ sourceAttribute: versions.map(({ id }) => id), peer }),
			{ field: 'deletionStatus', op: 'ne', value: 'DeletedByPeer' },
		],
	});
	return new Map(entries.map(({ record }) => [record.shareInfo?.sourceAttribute ?? '', record]));
}

/**
 * Ids of the attributes of which the peer has got copies; an attribute is the latest if the peer
 * has got no later version.
 */
async function sourcesSharedWith(
	tx: ReadTransaction,
	peer: string,
	onlyLatest: boolean,
): Promise<string[]> {
	const copies = await tx.attributes.list({
		where: [...matching({ peer }), { field: 'sourceAttribute', op: 'exists' }],
	});
	const sources = new Set(copies.flatMap(({ record }) => record.shareInfo?.sourceAttribute ?? []));
	if (!onlyLatest) return [...sources];
	// Follows all chains of versions together, one query for each step.
	const replaced = new Set<string>();
	let chains = [...sources].map((id) => ({ id, at: id }));
	for (const seen = new Set<string>(); chains.length > 0;) {
		const entries = await tx.attributes.getMany(chains.map(({ at }) => at));
		const later = new Map(entries.map(({ record }) => [record.id, record.succeededBy]));
		chains = chains.flatMap(({ id, at }) => {
			const next = later.get(at);
			const step = `${id} ${next}`;
			if (next === undefined || seen.has(step)) return [];
			seen.add(step);
			if (!sources.has(next)) return [{ id, at: next }];
			replaced.add(id);
			return [];
		});
	}
	return [...sources].filter((id) => !replaced.has(id));
}
