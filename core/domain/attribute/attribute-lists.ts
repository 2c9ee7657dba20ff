import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import type { AttributeListInput } from '../../facade';
import type { AttributeDto } from '../../model/record/attribute';
import type { AttributeField, Condition, Query, Store } from '../../store/store';
import { onlyKnown, readQuery, type QueryFields } from '../collection-query';
import type { Account } from '../identity/account';
import { toAttributeDto } from './attribute-dto';
import { readInput, repositoryInputSchema, sharedInputSchema } from './attribute-input';
import { attributeQueryFields } from './attribute-query';

type Conditions = ReadonlyArray<Condition<AttributeField>>;

/** What a list leaves out beside its own conditions. */
export interface AttributeView {
	readonly onlyLatestVersions?: boolean | undefined;
	readonly onlyValid?: boolean | undefined;
	readonly hideTechnical?: boolean | undefined;
}

const fields: QueryFields<AttributeField> = attributeQueryFields.all;
const oldestFirst = { field: 'createdAt', direction: 'asc' } as const;

export interface AttributeListsParts {
	readonly store: Store;
	readonly account: Pick<Account, 'address'>;
	readonly clock: Clock;
}

/** The lists of docs/protocol/consumption.md 8.4. */
export class AttributeLists {
	constructor(private readonly parts: AttributeListsParts) {}

	/**
	 * Attributes of every kind and version. Unknown fields of a query ask for nothing.
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
	 * Own attributes that are no shared copies, with their parts: `query`, `onlyLatestVersions`.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async repository(input: unknown = {}, options: Cancellable = {}): Promise<AttributeDto[]> {
		const { query, ...view } = readInput(repositoryInputSchema, input);
		const own: Conditions = [
			{ field: 'owner', op: 'eq', value: this.parts.account.address },
			{ field: 'peer', op: 'missing' },
		];
		return await this.find(own, query, attributeQueryFields.repository, view, options);
	}

	/**
	 * Own attributes that the `peer` has: `query`, `onlyLatestVersions`, `onlyValid`, `hideTechnical`.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async ownShared(input: unknown, options: Cancellable = {}): Promise<AttributeDto[]> {
		const { peer, query, ...view } = readInput(sharedInputSchema, input);
		const own: Conditions = [
			{ field: 'owner', op: 'eq', value: this.parts.account.address },
			{ field: 'peer', op: 'eq', value: peer },
		];
		return await this.find(own, query, attributeQueryFields.ownShared, view, options);
	}

	/**
	 * Attributes of the `peer` that we have, also those that somebody else has shared; inputs as for
	 * {@link ownShared}.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async peerShared(input: unknown, options: Cancellable = {}): Promise<AttributeDto[]> {
		const { peer, query, ...view } = readInput(sharedInputSchema, input);
		const theirs: Conditions = [
			{ field: 'owner', op: 'eq', value: peer },
			{ field: 'peer', op: 'exists' },
		];
		return await this.find(theirs, query, attributeQueryFields.peerShared, view, options);
	}

	/** What the two of a relationship share, whoever owns it. */
	async sharedWith(
		peer: string,
		{ onlyLatestVersions = true, hideTechnical = false }: AttributeView,
		options: Cancellable,
	): Promise<AttributeDto[]> {
		const where: Conditions = [{ field: 'peer', op: 'eq', value: peer }];
		return await this.find(where, {}, {}, { onlyLatestVersions, hideTechnical }, options);
	}

	/** What is nobody's copy is our own, and own ones are found without a look at those of peers. */
	private ownedWhereUnshared(asked: Conditions): Conditions {
		const isUnshared = asked.some(
			(condition) => condition.op === 'missing' && condition.field === 'peer',
		);
		return isUnshared ? [{ field: 'owner', op: 'eq', value: this.parts.account.address }] : [];
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
		const entries = await this.parts.store.read((tx) => tx.attributes.list(query), options);
		return entries.map(({ record }) => toAttributeDto(record));
	}

	private viewConditions({
		onlyLatestVersions = false,
		onlyValid = false,
		hideTechnical = false,
	}: AttributeView): Array<Condition<AttributeField>> {
		const now = isoInstant(this.parts.clock.now());
		return [
			...(onlyLatestVersions ? [{ field: 'succeededBy', op: 'missing' } as const] : []),
			...(onlyValid
				? [
						orMissing('validFrom', { op: 'lte', value: now }),
						orMissing('validTo', { op: 'gte', value: now }),
					]
				: []),
			...(hideTechnical ? [orMissing('isTechnical', { op: 'eq', value: false })] : []),
		];
	}
}

function orMissing(
	field: 'validFrom' | 'validTo' | 'isTechnical',
	test: { readonly op: 'lte' | 'gte' | 'eq'; readonly value: string | boolean },
): Condition<AttributeField> {
	return { op: 'anyOf', groups: [[{ field, op: 'missing' }], [{ field, ...test }]] };
}
