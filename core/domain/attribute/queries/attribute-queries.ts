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
import type { ReadTransaction, Store } from '../../../store/store';
import type { IqlValidationDto } from '../../../facade/attributes';
import type { Account } from '../../identity/account';
import { toAttributeDto } from '../attribute-dto';
import { attributeErrors } from '../attribute-errors';
import {
	executeIdentityQuery,
	executeIqlQuery,
	executeRelationshipQuery,
	executeThirdPartyQuery,
} from './query-execution';
import { parseInput } from '../../validation';

export interface AttributeQueriesDependencies {
	readonly store: Store;
	readonly account: Pick<Account, 'address'>;
}

type Execution<Query> = (
	tx: ReadTransaction,
	query: Query,
	ownAddress: string,
) => Promise<AttributeRecord[]>;

/** Execution of queries (docs/protocol/consumption.md 8.5); each method takes `query`. */
export class AttributeQueries {
	constructor(private readonly dependencies: AttributeQueriesDependencies) {}

	/**
	 * @throws `error.runtime.requestDeserialization`, `error.runtime.validation.invalidPropertyValue`
	 */
	async identity(input: unknown, options: Cancellable = {}): Promise<AttributeDto[]> {
		return await this.find(input, identityAttributeQuery, executeIdentityQuery, options);
	}

	/**
	 * @throws `error.runtime.requestDeserialization`, `error.runtime.validation.invalidPropertyValue`
	 */
	async iql(input: unknown, options: Cancellable = {}): Promise<AttributeDto[]> {
		parseInput(iqlInputSchema, input);
		return await this.find(input, iqlQuery, executeIqlQuery, options);
	}

	/**
	 * @throws `error.runtime.requestDeserialization`, `error.runtime.validation.invalidPropertyValue`
	 */
	async thirdParty(input: unknown, options: Cancellable = {}): Promise<AttributeDto[]> {
		const type = thirdPartyRelationshipAttributeQuery;
		return await this.find(input, type, executeThirdPartyQuery, options);
	}

	/**
	 * Returns the first attribute that matches the query.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.requestDeserialization`,
	 * `error.runtime.validation.invalidPropertyValue`
	 */
	async relationship(input: unknown, options: Cancellable = {}): Promise<AttributeDto> {
		const first: Execution<RelationshipAttributeQuery> = async (...parameters) => {
			const found = await executeRelationshipQuery(...parameters);
			return found === undefined ? [] : [found];
		};
		const [found] = await this.find(input, relationshipAttributeQuery, first, options);
		if (found !== undefined) return found;
		throw attributeErrors.create('notFound', {
			message: 'There is no relationship attribute that fits the query.',
		});
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
	): Promise<AttributeDto[]> {
		const { store, account } = this.dependencies;
		const query = parseAs(type, parseInput(queryInputSchema, input).query, 'The query');
		const found = await store.read((tx) => execute(tx, query, account.address), options);
		return found.map(toAttributeDto);
	}
}
