import type { Cancellable } from '../../../base/abort';
import type { ContentOf, ContentType } from '../../../model/content/content-type';
import { parseIql } from '../../../model/content/requests/iql';
import { parseAs } from '../../../model/content/parse';
import {
	identityAttributeQuery,
	iqlQuery,
	relationshipAttributeQuery,
	thirdPartyRelationshipAttributeQuery,
	type RelationshipAttributeQuery,
} from '../../../model/content/requests/queries';
import { iqlInputSchema, queryInputSchema } from '../../../model/input/attribute';
import type { AttributeDto, AttributeRecord } from '../../../model/record/attribute';
import type { ReadTransaction } from '../../../store/store';
import type { IqlValidationDto } from '../../../facade/attributes';
import type { GatewayError } from '../../../base/errors';
import type { Account } from '../../identity/account';
import type { Needs } from '../../needs';
import { toAttributeDto } from '../attribute-dto';
import { attributeErrors } from '../attribute-errors';
import {
	executeIdentityQuery,
	executeIqlQuery,
	executeRelationshipQuery,
	executeThirdPartyQuery,
} from './query-execution';
import { parseInput } from '../../validation';

export interface AttributeQueriesDependencies extends Needs<'store'> {
	readonly account: Pick<Account, 'address'>;
}

type Execution<Query> = (
	tx: ReadTransaction,
	query: Query,
	ownAddress: string,
) => Promise<AttributeRecord[]>;

/** What versions 6 and 7 do differently. */
export interface QueryVersion<Dto> {
	/** returns the query as it is executed */
	read(query: unknown): unknown;
	/** finds at most one attribute */
	readonly executeRelationshipQuery: Execution<RelationshipAttributeQuery>;
	show(tx: ReadTransaction, found: AttributeRecord[], ownAddress: string): Promise<Dto[]>;
	notFound(message: string): GatewayError;
}

/** Queries of version 6 (docs/protocol/consumption.md 8.5). */
export const queriesOf6: QueryVersion<AttributeDto> = {
	read: (query) => query,
	executeRelationshipQuery,
	show: (_tx, found) => Promise.resolve(found.map(toAttributeDto)),
	notFound: (message) => attributeErrors.create('notFound', { message }),
};

/** Execution of queries; each method takes `query`. */
export class AttributeQueries<Dto> {
	constructor(
		private readonly dependencies: AttributeQueriesDependencies,
		private readonly version: QueryVersion<Dto>,
	) {}

	/**
	 * @throws `error.runtime.requestDeserialization`, `error.runtime.validation.invalidPropertyValue`
	 */
	async identity(input: unknown, options: Cancellable = {}): Promise<Dto[]> {
		return await this.find(input, identityAttributeQuery, executeIdentityQuery, options);
	}

	/**
	 * @throws `error.runtime.requestDeserialization`, `error.runtime.validation.invalidPropertyValue`
	 */
	async iql(input: unknown, options: Cancellable = {}): Promise<Dto[]> {
		parseInput(iqlInputSchema, input);
		return await this.find(input, iqlQuery, executeIqlQuery, options);
	}

	/**
	 * @throws `error.runtime.requestDeserialization`, `error.runtime.validation.invalidPropertyValue`
	 */
	async thirdParty(input: unknown, options: Cancellable = {}): Promise<Dto[]> {
		const type = thirdPartyRelationshipAttributeQuery;
		return await this.find(input, type, executeThirdPartyQuery, options);
	}

	/**
	 * Returns the first attribute that matches the query.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.requestDeserialization`,
	 * `error.runtime.validation.invalidPropertyValue`
	 */
	async relationship(input: unknown, options: Cancellable = {}): Promise<Dto> {
		const { executeRelationshipQuery: execute, notFound } = this.version;
		const [found] = await this.find(input, relationshipAttributeQuery, execute, options);
		if (found !== undefined) return found;
		throw notFound('There is no relationship attribute that fits the query.');
	}

	/** @throws `error.runtime.validation.invalidPropertyValue` */
	validateIql(input: unknown): IqlValidationDto {
		const { queryString } = parseInput(iqlInputSchema, input).query;
		const parsed = parseIql(queryString);
		if (parsed.isValid) return { isValid: true };
		const { line, column } = parsed.problem;
		const before = queryString.split('\n').slice(0, line - 1);
		const offset = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
		const end = offset < queryString.length ? 1 : 0;
		return {
			isValid: false,
			error: {
				message: `The query cannot be read at line ${line}, column ${column}.`,
				location: {
					start: { offset, line, column },
					end: { offset: offset + end, line, column: column + end },
				},
			},
		};
	}

	private async find<Type extends ContentType>(
		input: unknown,
		type: Type,
		execute: Execution<ContentOf<Type>>,
		options: Cancellable,
	): Promise<Dto[]> {
		const { store, account } = this.dependencies;
		const { query } = parseInput(queryInputSchema, input);
		const parsed = parseAs(type, this.version.read(query), 'The query');
		return await store.read(async (tx) => {
			const found = await execute(tx, parsed, account.address);
			return await this.version.show(tx, found, account.address);
		}, options);
	}
}
