import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import {
	createAttributeSchema,
	sharedVersionsInputSchema,
	successorSchema,
} from '../../model/input/attribute';
import type { JsonObject } from '../../model/json';
import {
	type AttributeDto,
	type AttributeRecord,
	type SuccessionDto,
} from '../../model/record/attribute';
import type { AttributeField, Query, ReadTransaction } from '../../store/store';
import type { CanCreateDto, UpsertedAttributeDto } from '../../facade/attributes';
import type { Account } from '../identity/account';
import { deleteAttribute } from './attribute-deletion';
import { toAttributeDto } from './attribute-dto';
import { attributeErrors } from './attribute-errors';
import { publishAttribute } from './attribute-events';
import { requireAttributeId } from './attribute-input';
import { isRelationshipAttribute, isRepositoryAttribute } from './attribute-kinds';
import { AttributeLists } from './attribute-lists';
import { findRepositoryAttribute } from './attribute-lookup';
import { AttributeQueries, queriesOf6 } from './queries/attribute-queries';
import {
	checkValueStructure,
	identityAttributeOf,
	readAttributeInput,
	storedAttributeOf,
	successorContentOf,
} from './attribute-rules';
import { sharedVersionsOf, versionsOf } from './succession/attribute-versions';
import { upsertRepositoryAttribute } from './attribute-upsert';
import type { AttributeWriter } from './attribute-writer';
import { makeDefault } from './default-attributes';
import { storeRepositoryAttribute, succeedRepositoryAttribute } from './repository-attributes';
import { matching } from '../query/conditions';
import { parseInput } from '../validation';
import type { Needs } from '../needs';

export interface AttributeDependencies extends Needs<'store' | 'clock' | 'random' | 'observers'> {
	readonly account: Pick<Account, 'address'>;
	/** true if own attributes can be the default of their value type (consumption 8.3) */
	readonly setsDefaults?: boolean;
	/** true if peers get an own attribute under the id that it has here */
	readonly hasOneId?: boolean;
}

/**
 * Use cases of attributes that involve no notification of a peer (docs/protocol/consumption.md 7,
 * 8). The others are in `local-notification` and `attribute-sharing`.
 */
export class AttributeService {
	readonly lists: AttributeLists;

	readonly queries: AttributeQueries<AttributeDto>;

	constructor(private readonly dependencies: AttributeDependencies) {
		this.lists = new AttributeLists(dependencies);
		this.queries = new AttributeQueries(dependencies, queriesOf6);
	}

	/** Creates a writer for services that store attributes within their own transaction. */
	writer(): AttributeWriter {
		const { account, random, clock, observers } = this.dependencies;
		const { setsDefaults = false, hasOneId = false } = this.dependencies;
		return {
			ownAddress: account.address,
			random,
			now: isoInstant(clock.now()),
			setsDefaults,
			hasOneId,
			// Version 7, whose attributes have one id, has no attributes for parts.
			withoutParts: hasOneId,
			observers,
		};
	}

	/**
	 * Creates an own attribute, in the steps of consumption 8.1.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute`,
	 * `error.runtime.requestDeserialization`
	 */
	async create(input: unknown, options: Cancellable = {}): Promise<AttributeDto> {
		const { store, account } = this.dependencies;
		const { content } = readAttributeInput(createAttributeSchema, input);
		const { value } = content;
		checkValueStructure(value);
		return await store.transact(async (tx) => {
			await this.refuseDuplicate(tx, value);
			const attribute = storedAttributeOf(content, account.address);
			return toAttributeDto(await storeRepositoryAttribute(tx, attribute, this.writer()));
		}, options);
	}

	/**
	 * Creates an own attribute, or gives the newest one of its type this value.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.requestDeserialization`, `error.consumption.attributes.*` of consumption 8.6
	 */
	async upsert(input: unknown, options: Cancellable = {}): Promise<UpsertedAttributeDto> {
		const { content } = readAttributeInput(createAttributeSchema, input);
		checkValueStructure(content.value);
		return await this.dependencies.store.transact(async (tx) => {
			const upsert = await upsertRepositoryAttribute(tx, content, this.writer());
			const { outcome, attribute, predecessor } = upsert;
			return {
				outcome,
				attribute: toAttributeDto(attribute),
				...(predecessor === undefined ? {} : { predecessor: toAttributeDto(predecessor) }),
			};
		}, options);
	}

	/**
	 * Checks whether the value has the right structure and is new; only {@link create} validates
	 * lengths and formats.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue` for an input of another shape
	 */
	async canCreate(input: unknown, options: Cancellable = {}): Promise<CanCreateDto> {
		const { value } = readAttributeInput(createAttributeSchema, input).content;
		try {
			checkValueStructure(value);
			await this.dependencies.store.read((tx) => this.refuseDuplicate(tx, value), options);
			return { isSuccess: true };
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			return { isSuccess: false, code: error.code, message: error.message };
		}
	}

	/** @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<AttributeDto> {
		requireAttributeId(id);
		return toAttributeDto(
			await this.dependencies.store.read((tx) => findAttribute(tx, id), options),
		);
	}

	async list(
		query: Query<AttributeField> = {},
		options: Cancellable = {},
	): Promise<AttributeDto[]> {
		const entries = await this.dependencies.store.read((tx) => tx.attributes.list(query), options);
		return entries.map(({ record }) => toAttributeDto(record));
	}

	/** @throws `error.runtime.validation.invalidPropertyValue` */
	async isRelationshipAttribute(id: string, options: Cancellable = {}): Promise<boolean> {
		requireAttributeId(id);
		const entry = await this.dependencies.store.read((tx) => tx.attributes.get(id), options);
		return entry !== undefined && isRelationshipAttribute(entry.record);
	}

	/** Lists attributes that a peer owns and has shared, newest first. */
	async peerAttributes(peer: string, options: Cancellable = {}): Promise<AttributeDto[]> {
		return await this.list(
			{ where: matching({ peer, owner: peer }), orderBy: { field: 'inserted', direction: 'desc' } },
			options,
		);
	}

	/**
	 * Gives an own attribute that is not a shared copy new content: `value`, `tags`, `validFrom`,
	 * `validTo`. No member is inherited from the predecessor.
	 *
	 * @param input `successorContent`
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.consumption.attributes.*` of
	 * consumption 8.6
	 */
	async succeed(
		predecessorId: string,
		input: unknown,
		options: Cancellable = {},
	): Promise<SuccessionDto> {
		requireAttributeId(predecessorId);
		const { successorContent } = readAttributeInput(successorSchema, input);
		const { store, account } = this.dependencies;
		return await store.transact(async (tx) => {
			const content = successorContentOf(() =>
				identityAttributeOf(successorContent, account.address),
			);
			const writer = this.writer();
			const { predecessor, successor } = await succeedRepositoryAttribute(
				tx,
				predecessorId,
				content,
				writer,
			);
			return { predecessor: toAttributeDto(predecessor), successor: toAttributeDto(successor) };
		}, options);
	}

	/**
	 * Deletes an own attribute that is not a shared copy, with its parts and predecessors; peers keep
	 * their copies.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.attributes.isNotRepositoryAttribute`,
	 * `error.runtime.attributes.cannotSeparatelyDeleteChildOfComplexAttribute`
	 */
	async delete(id: string, options: Cancellable = {}): Promise<void> {
		requireAttributeId(id);
		await this.dependencies.store.transact(async (tx) => {
			const record = await this.findRepository(tx, id);
			if (record.parentId !== undefined) {
				throw attributeErrors.create('cannotDeleteChild', {
					message: `The attribute '${id}' is a part of '${record.parentId}'.`,
					facts: { attributeId: id, parentId: record.parentId },
				});
			}
			await deleteAttribute(tx, record, this.writer());
		}, options);
	}

	/**
	 * Lists all versions, newest first.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	async versions(id: string, options: Cancellable = {}): Promise<AttributeDto[]> {
		requireAttributeId(id);
		return await this.dependencies.store.read(async (tx) => {
			const found = await versionsOf(tx, await findAttribute(tx, id));
			return found.map(toAttributeDto);
		}, options);
	}

	/**
	 * Lists the copies that peers have of any version, newest first. Input: `peers`,
	 * `onlyLatestVersions`.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.validation.invalidPropertyValue`
	 */
	async sharedVersions(
		id: string,
		input: unknown = {},
		options: Cancellable = {},
	): Promise<AttributeDto[]> {
		requireAttributeId(id);
		const { peers, onlyLatestVersions } = parseInput(sharedVersionsInputSchema, input);
		const filter = { peers, onlyLatest: onlyLatestVersions };
		return await this.dependencies.store.read(async (tx) => {
			const found = await sharedVersionsOf(tx, await findAttribute(tx, id), filter);
			return found.map(toAttributeDto);
		}, options);
	}

	/**
	 * Records the first view of an attribute; later calls change nothing.
	 *
	 * @throws `error.transport.recordNotFound`
	 */
	async markAsViewed(id: string, options: Cancellable = {}): Promise<AttributeDto> {
		requireAttributeId(id);
		return await this.dependencies.store.transact(async (tx) => {
			const record = (await tx.attributes.get(id))?.record;
			if (record === undefined) {
				throw attributeErrors.create('transportRecordNotFound', unknownAttribute(id));
			}
			if (record.wasViewedAt !== undefined) return toAttributeDto(record);
			const { now } = this.writer();
			const viewed = { ...record, wasViewedAt: now };
			await tx.attributes.update(viewed);
			await publishAttribute(tx, 'consumption.attributeWasViewedAtChanged', viewed, now);
			return toAttributeDto(viewed);
		}, options);
	}

	/**
	 * Makes an own attribute the default of its value type.
	 *
	 * @throws `error.runtime.attributes.setDefaultRepositoryAttributesIsDisabled`,
	 * `error.runtime.recordNotFound`, `error.runtime.attributes.isNotRepositoryAttribute`,
	 * `error.runtime.attributes.hasSuccessor`
	 */
	async changeDefault(id: string, options: Cancellable = {}): Promise<AttributeDto> {
		requireAttributeId(id);
		if (this.dependencies.setsDefaults !== true) {
			throw attributeErrors.create('defaultsAreOff', {
				message: 'This gateway has no default attributes.',
			});
		}
		return await this.dependencies.store.transact(async (tx) => {
			const record = await this.findRepository(tx, id);
			if (record.succeededBy !== undefined) {
				throw attributeErrors.create('hasSuccessor', {
					message: `The attribute '${id}' has a newer version.`,
					facts: { attributeId: id },
				});
			}
			return toAttributeDto(await makeDefault(tx, record));
		}, options);
	}

	private async findRepository(tx: ReadTransaction, id: string): Promise<AttributeRecord> {
		return requireRepository(await findAttribute(tx, id), this.dependencies.account.address);
	}

	private async refuseDuplicate(tx: ReadTransaction, value: JsonObject): Promise<void> {
		const existing = await findRepositoryAttribute(tx, value, this.dependencies.account.address);
		if (existing === undefined) return;
		throw attributeErrors.create('duplicate', {
			message: `There is already an attribute with this value: '${existing.id}'.`,
			facts: { attributeId: existing.id },
		});
	}
}

/** @throws `error.runtime.recordNotFound` */
export async function findAttribute(tx: ReadTransaction, id: string): Promise<AttributeRecord> {
	const entry = await tx.attributes.get(id);
	if (entry !== undefined) return entry.record;
	throw attributeErrors.create('notFound', unknownAttribute(id));
}

/** @throws `error.runtime.attributes.isNotRepositoryAttribute` */
export function requireRepository(record: AttributeRecord, ownAddress: string): AttributeRecord {
	if (isRepositoryAttribute(record, ownAddress)) return record;
	throw attributeErrors.create('isNotRepositoryAttribute', {
		message: `The attribute '${record.id}' is a shared copy, or belongs to a peer.`,
		facts: { attributeId: record.id },
	});
}

function unknownAttribute(id: string) {
	return {
		message: `There is no attribute with the ID '${id}' in this account.`,
		facts: { attributeId: id },
	};
}
