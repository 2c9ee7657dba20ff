import type { Cancellable } from '../../base/abort';
import type { ContentOf, ContentType } from '../../model/content/content-type';
import { parseAs } from '../../model/content/parse';
import {
	identityAttributeQuery,
	iqlQuery,
	relationshipAttributeQuery,
	thirdPartyRelationshipAttributeQuery,
} from '../../model/content/requests/queries';
import { iqlInputSchema, queryInputSchema } from '../../model/input/attribute';
import { isJsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { LocalAttributeDto } from '../../model/record/local-attribute';
import type { ReadTransaction, Store } from '../../store/store';
import {
	executeIdentityQuery,
	executeIqlQuery,
	executeThirdPartyQuery,
} from '../attribute/queries/query-execution';
import { toLocalAttributes } from './local-attribute-dto';
import { localAttributeErrors } from './local-attribute-errors';
import { kindOf, kindsConditions } from './local-attribute-kinds';
import { matching } from '../query/conditions';
import { parseInput } from '../validation';

export interface LocalAttributeQueriesDependencies {
	readonly store: Store;
	readonly account: { readonly address: string };
}

/** Execution of queries in version 7 (docs/protocol/connector-7.md 4.2); each takes `query`. */
export class LocalAttributeQueries {
	constructor(private readonly dependencies: LocalAttributeQueriesDependencies) {}

	/**
	 * @throws `error.runtime.requestDeserialization`, `error.runtime.validation.invalidPropertyValue`
	 */
	async identity(input: unknown, options: Cancellable = {}): Promise<LocalAttributeDto[]> {
		return await this.find(input, identityAttributeQuery, executeIdentityQuery, options);
	}

	/**
	 * @throws `error.runtime.requestDeserialization`, `error.runtime.validation.invalidPropertyValue`
	 */
	async iql(input: unknown, options: Cancellable = {}): Promise<LocalAttributeDto[]> {
		parseInput(iqlInputSchema, input);
		return await this.find(input, iqlQuery, executeIqlQuery, options);
	}

	/**
	 * @throws `error.runtime.requestDeserialization`, `error.runtime.validation.invalidPropertyValue`
	 */
	async thirdParty(input: unknown, options: Cancellable = {}): Promise<LocalAttributeDto[]> {
		const type = thirdPartyRelationshipAttributeQuery;
		return await this.find(input, type, executeThirdPartyQuery, options);
	}

	/**
	 * Returns the first attribute with the key and owner; its type of value is not compared.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.requestDeserialization`,
	 * `error.runtime.validation.invalidPropertyValue`
	 */
	async relationship(input: unknown, options: Cancellable = {}): Promise<LocalAttributeDto> {
		const type = relationshipAttributeQuery;
		const [found] = await this.find(
			input,
			type,
			async (tx, { key, owner }, own) => {
				const first = await tx.attributes.first({
					where: [
						...matching({ key, owner: owner === '' ? own : owner }),
						{ field: 'confidentiality', op: 'ne', value: 'private' },
						...kindsConditions(relationshipTypes, own),
					],
				});
				return first === undefined ? [] : [first.record];
			},
			options,
		);
		if (found !== undefined) return found;
		throw localAttributeErrors.create('notFound', {
			message: 'There is no relationship attribute that fits the query.',
			facts: { attributeId: '' },
		});
	}

	private async find<Type extends ContentType>(
		input: unknown,
		type: Type,
		execute: (
			tx: ReadTransaction,
			query: ContentOf<Type>,
			ownAddress: string,
		) => Promise<AttributeRecord[]>,
		options: Cancellable,
	): Promise<LocalAttributeDto[]> {
		const { store, account } = this.dependencies;
		const { query } = parseInput(queryInputSchema, input);
		const parsed = parseAs(type, withoutValidity(query), 'The query');
		return await store.read(async (tx) => {
			const found = await execute(tx, parsed, account.address);
			const shown = found.filter((record) => kindOf(record, account.address) !== undefined);
			return await toLocalAttributes(tx, shown, account.address);
		}, options);
	}
}

const relationshipTypes = [
	'OwnRelationshipAttribute',
	'PeerRelationshipAttribute',
	'ThirdPartyRelationshipAttribute',
] as const;

/** Queries of version 7 have no period of validity; one is ignored. */
function withoutValidity(query: unknown): unknown {
	if (!isJsonObject(query)) return query;
	const { validFrom: _from, validTo: _to, ...rest } = query;
	return rest;
}
