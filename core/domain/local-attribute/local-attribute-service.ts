import type { Cancellable } from '../../base/abort';
import { codeOf, isGatewayError } from '../../base/errors';
import type { CanCreateDto } from '../../facade/attributes';
import type { TagUseCases } from '../../facade/operator';
import type { IdentityAttribute } from '../../model/content/attributes';
import { invalidTagsFor, isCollectedTag } from '../../model/content/tags';
import {
	createLocalAttributeSchema,
	localSuccessorSchema,
} from '../../model/input/local-attribute';
import type { JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import type { LocalAttributeDto, LocalSuccessionDto } from '../../model/record/local-attribute';
import type { ReadTransaction } from '../../store/store';
import { isIdentityAttribute } from '../attribute/attribute-kinds';
import { findRepositoryAttribute } from '../attribute/attribute-lookup';
import {
	identityAttributeOf,
	storedAttributeOf,
	successorContentOf,
} from '../attribute/attribute-rules';
import type { AttributeWriter } from '../attribute/attribute-writer';
import {
	storeRepositoryAttribute,
	succeedRepositoryAttribute,
} from '../attribute/repository-attributes';
import { toLocalAttributes, toLocalSuccession } from './local-attribute-dto';
import { localAttributeErrors } from './local-attribute-errors';
import type { LocalAttributeExchange } from './local-attribute-exchange';
import { LocalAttributeLists } from './local-attribute-lists';
import { findShown, requireOwnIdentity } from './local-attribute-lookup';
import { AttributeQueries } from '../attribute/queries/attribute-queries';
import { queriesOf7 } from './local-attribute-queries';
import { checkValueOf7, requireAllowedCharacters } from './local-attribute-rules';
import { parseInput } from '../validation';
import { inputErrors } from '../input-errors';
import type { Needs } from '../needs';

export interface LocalAttributeDependencies extends Needs<'store' | 'clock'> {
	readonly account: { readonly address: string };
	readonly writer: () => AttributeWriter;
	readonly tags: TagUseCases;
	readonly exchange: LocalAttributeExchange;
}

/** Use cases of own attributes in the rules of version 7 (docs/protocol/connector-7.md 4.3). */
export class LocalAttributeService {
	readonly lists: LocalAttributeLists;

	readonly queries: AttributeQueries<LocalAttributeDto>;

	readonly exchange: LocalAttributeExchange;

	constructor(private readonly dependencies: LocalAttributeDependencies) {
		this.lists = new LocalAttributeLists(dependencies);
		this.queries = new AttributeQueries(dependencies, queriesOf7);
		this.exchange = dependencies.exchange;
	}

	/**
	 * Creates an own identity attribute.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.attributes.cannotCreateDuplicateOwnIdentityAttribute`,
	 * `error.runtime.requestDeserialization`,
	 * `error.consumption.attributes.forbiddenCharactersInAttribute`,
	 * `error.consumption.attributes.invalidTags`
	 */
	async create(input: unknown, options: Cancellable = {}): Promise<LocalAttributeDto> {
		const { store, account, clock } = this.dependencies;
		const { content } = parseInput(createLocalAttributeSchema, input);
		checkValueOf7(content.value);
		await store.read((tx) => this.refuseDuplicate(tx, content.value), options);
		const attribute = storedAttributeOf(content, account.address);
		requireAllowedCharacters(attribute, 'Attribute', clock);
		await this.requireValidTags(attribute, options);
		return await store.transact(async (tx) => {
			// Another process may have created it meanwhile.
			await this.refuseDuplicate(tx, content.value);
			const record = await storeRepositoryAttribute(tx, attribute, this.writer());
			const [created] = await toLocalAttributes(tx, [record], account.address);
			if (created === undefined) throw new TypeError('A new own attribute is shown');
			return created;
		}, options);
	}

	/**
	 * Checks whether {@link create} would accept the input; characters are not looked at.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue` for an input of another shape
	 */
	async canCreate(input: unknown, options: Cancellable = {}): Promise<CanCreateDto> {
		const { store, account } = this.dependencies;
		const { content } = parseInput(createLocalAttributeSchema, input);
		try {
			checkValueOf7(content.value);
			const attribute = storedAttributeOf(content, account.address);
			await store.read((tx) => this.refuseDuplicate(tx, content.value), options);
			await this.requireValidTags(attribute, options);
			return { isSuccess: true };
		} catch (error) {
			if (!isGatewayError(error) || error.kind === 'unavailable') throw error;
			const isUnreadable = codeOf(error) === 'error.runtime.requestDeserialization';
			const code = isUnreadable ? inputErrors.invalidInput.code : error.code;
			return { isSuccess: false, code, message: error.message };
		}
	}

	/**
	 * Gives an own attribute new content. No member is inherited from an identity attribute; the peer
	 * of a relationship attribute is told at once.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.attributes.isNotOwnIdentityAttribute`,
	 * `error.runtime.attributes.isNotOwnRelationshipAttribute`,
	 * `error.runtime.requestDeserialization`, `error.consumption.attributes.*` of connector-7 4.3
	 */
	async succeed(
		predecessorId: string,
		input: unknown,
		options: Cancellable = {},
	): Promise<LocalSuccessionDto> {
		const { store, account, exchange } = this.dependencies;
		const { address } = account;
		const predecessor = await store.read((tx) => findShown(tx, predecessorId, address), options);
		if (predecessor === undefined) {
			throw localAttributeErrors.create('notFound', {
				message: `Predecessor attribute '${predecessorId.slice(0, 100)}' not found.`,
			});
		}
		return isIdentityAttribute(predecessor)
			? await this.succeedIdentity(predecessor, input, options)
			: await exchange.succeed(predecessor, input, options);
	}

	private async succeedIdentity(
		predecessor: AttributeRecord,
		input: unknown,
		options: Cancellable,
	): Promise<LocalSuccessionDto> {
		const { store, account, clock } = this.dependencies;
		const { successorContent } = parseInput(localSuccessorSchema, input);
		checkValueOf7(successorContent.value);
		requireOwnIdentity(predecessor, account.address);
		const content = successorContentOf(() =>
			identityAttributeOf(successorContent, account.address),
		);
		await this.requireValidTags(content, options);
		return await store.transact(async (tx) => {
			const writer = this.writer();
			const both = await succeedRepositoryAttribute(tx, predecessor.id, content, writer);
			requireAllowedCharacters(both.successor.content, 'successor', clock);
			return await toLocalSuccession(tx, both, account.address);
		}, options);
	}

	private writer(): AttributeWriter {
		return { ...this.dependencies.writer(), withoutParts: true };
	}

	private async refuseDuplicate(tx: ReadTransaction, value: JsonObject): Promise<void> {
		const existing = await findRepositoryAttribute(tx, value, this.dependencies.account.address);
		if (existing === undefined || existing.parentId !== undefined) return;
		throw localAttributeErrors.create('duplicate', {
			message: `The OwnIdentityAttribute cannot be created because it has the same content.value as the already existing OwnIdentityAttribute with id '${existing.id}'.`,
			facts: { attributeId: existing.id },
		});
	}

	/** @throws `error.consumption.attributes.invalidTags` */
	private async requireValidTags(
		{ tags = [], value }: IdentityAttribute,
		options: Cancellable,
	): Promise<void> {
		const collection = tags.some(isCollectedTag)
			? await this.dependencies.tags.collection(options)
			: { supportedLanguages: [], tagsForAttributeValueTypes: {} };
		const invalid = invalidTagsFor(value['@type'], tags, collection);
		if (invalid.length === 0) return;
		const named = invalid.map((tag) => `'${tag}'`).join(', ');
		throw localAttributeErrors.create('invalidTags', {
			message: `Detected invalidity of the following tags: ${named}.`,
			facts: { field: 'content.tags' },
		});
	}
}
