import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { repositoryInputSchema, sharedInputSchema } from '../../model/input/attribute';
import type { AttributeDto } from '../../model/record/attribute';
import type { AttributeField, Condition, Query } from '../../store/store';
import type { AttributeListInput } from '../../facade/attributes';
import { onlyKnown, readQuery, type QueryFields } from '../query/collection-query';
import type { Account } from '../identity/account';
import { toAttributeDto } from './attribute-dto';
import { attributeQueryFields } from './attribute-query';
import { matching } from '../query/conditions';
import { parseInput } from '../validation';
import type { Needs } from '../needs';

type Conditions = ReadonlyArray<Condition<AttributeField>>;

/** Filters that a list applies in addition to its own conditions. */
export interface AttributeView {
	readonly onlyLatestVersions?: boolean | undefined;
	readonly onlyValid?: boolean | undefined;
	readonly hideTechnical?: boolean | undefined;
}

const fields: QueryFields<AttributeField> = attributeQueryFields.all;
const oldestFirst = { field: 'createdAt', direction: 'asc' } as const;

export interface AttributeListsDependencies extends Needs<'store' | 'clock'> {
	readonly account: Pick<Account, 'address'>;
}

/** Lists of attributes (docs/protocol/consumption.md 8.4). */
export class AttributeLists {
	constructor(private readonly dependencies: AttributeListsDependencies) {}

	/**
	 * Lists attributes of every kind and version; unknown fields of a query are ignored.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async all(input: AttributeListInput = {}, options: Cancellable = {}): Promise<AttributeDto[]> {
		const { query = {}, where = [], onlyValid, hideTechnical, onlyLatestVersions, ...rest } = input;
		const { where: asked } = readQuery(onlyKnown(query, fields), fields);
		const view = this.viewConditions({ onlyValid, hideTechnical, onlyLatestVersions });
		const order = onlyValid === true && rest.orderBy === undefined ? { orderBy: oldestFirst } : {};
		const all = [...where, ...asked, ...this.ownedWhereUnshared(asked), ...view];
		return await this.list({ ...rest, ...order, where: all }, options);
	}

	/**
	 * Lists own attributes that are not shared copies, including their parts. Input: `query`,
	 * `onlyLatestVersions`.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async repository(input: unknown = {}, options: Cancellable = {}): Promise<AttributeDto[]> {
		const { query, ...view } = parseInput(repositoryInputSchema, input);
		const own: Conditions = [
			...matching({ owner: this.dependencies.account.address }),
			{ field: 'peer', op: 'missing' },
		];
		return await this.find(own, query, attributeQueryFields.repository, view, options);
	}

	/**
	 * Lists own attributes that the `peer` holds as well. Further input: `query`,
	 * `onlyLatestVersions`, `onlyValid`, `hideTechnical`.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async ownShared(input: unknown, options: Cancellable = {}): Promise<AttributeDto[]> {
		const { peer, query, ...view } = parseInput(sharedInputSchema, input);
		const own: Conditions = matching({ owner: this.dependencies.account.address, peer });
		return await this.find(own, query, attributeQueryFields.ownShared, view, options);
	}

	/**
	 * Lists stored attributes that the `peer` owns, including those shared by a third party; inputs
	 * as for {@link ownShared}.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async peerShared(input: unknown, options: Cancellable = {}): Promise<AttributeDto[]> {
		const { peer, query, ...view } = parseInput(sharedInputSchema, input);
		const theirs: Conditions = [...matching({ owner: peer }), { field: 'peer', op: 'exists' }];
		return await this.find(theirs, query, attributeQueryFields.peerShared, view, options);
	}

	/** Lists the attributes that this account and the peer share, regardless of the owner. */
	async sharedWith(
		peer: string,
		{ onlyLatestVersions = true, hideTechnical = false }: AttributeView,
		options: Cancellable,
	): Promise<AttributeDto[]> {
		const where: Conditions = matching({ peer });
		return await this.find(where, {}, {}, { onlyLatestVersions, hideTechnical }, options);
	}

	/**
	 * Adds the owner when a query asks for attributes without a peer: these are always own
	 * attributes, and the condition saves the store from reading attributes of peers.
	 */
	private ownedWhereUnshared(asked: Conditions): Conditions {
		const isUnshared = asked.some(
			(condition) => condition.op === 'missing' && condition.field === 'peer',
		);
		return isUnshared ? matching({ owner: this.dependencies.account.address }) : [];
	}

	private async find(
		own: Conditions,
		query: unknown,
		queryFields: QueryFields<AttributeField>,
		view: AttributeView,
		options: Cancellable,
	): Promise<AttributeDto[]> {
		const { where: asked } = readQuery(query, queryFields);
		const where = [...own, ...asked, ...this.viewConditions(view)];
		const order = view.onlyValid === true ? { orderBy: oldestFirst } : {};
		return await this.list({ where, ...order }, options);
	}

	private async list(query: Query<AttributeField>, options: Cancellable): Promise<AttributeDto[]> {
		const entries = await this.dependencies.store.read((tx) => tx.attributes.list(query), options);
		return entries.map(({ record }) => toAttributeDto(record));
	}

	private viewConditions({
		onlyLatestVersions = false,
		onlyValid = false,
		hideTechnical = false,
	}: AttributeView): Array<Condition<AttributeField>> {
		const now = isoInstant(this.dependencies.clock.now());
		return [
			...(onlyLatestVersions ? [{ field: 'succeededBy', op: 'missing' } as const] : []),
			...(onlyValid ? validAt(now) : []),
			...(hideTechnical ? [orMissing('isTechnical', { op: 'eq', value: false })] : []),
		];
	}
}

/** Builds the conditions for attributes that are valid at the time. */
export function validAt(now: string): Array<Condition<AttributeField>> {
	return [
		orMissing('validFrom', { op: 'lte', value: now }),
		orMissing('validTo', { op: 'gte', value: now }),
	];
}

export function orMissing(
	field: 'validFrom' | 'validTo' | 'isTechnical',
	test: { readonly op: 'lte' | 'gte' | 'eq'; readonly value: string | boolean },
): Condition<AttributeField> {
	return { op: 'anyOf', groups: [[{ field, op: 'missing' }], [{ field, ...test }]] };
}
