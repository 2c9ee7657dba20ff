import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import type { Random } from '../../base/random';
import { attributeIdSchema, newId } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import type { AttributeDto, AttributeRecord } from '../../model/record/attribute';
import { attributeValueHash } from '../../store/attribute-value-hash';
import type { AttributeField, Query, ReadTransaction, Store } from '../../store/store';
import type { Account } from '../identity/account';
import { parseInput } from '../validation';
import { attributeErrors } from './attribute-errors';
import { identityAttributeOf, readCreateInput, trimmedValue } from './attribute-rules';
import { appendAttributeEvent, toAttributeDto } from './attribute-dto';

export interface AttributeDependencies {
	readonly store: Store;
	readonly account: Pick<Account, 'address'>;
	readonly clock: Clock;
	readonly random: Random;
}

/** Use cases of attributes (docs/protocol/consumption.md 7, 8). */
export class AttributeService {
	constructor(private readonly deps: AttributeDependencies) {}

	/**
	 * Creates an attribute of our own identity, in the steps of consumption 8.1.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute`,
	 * `error.runtime.requestDeserialization`, `error.gateway.notSupportedYet`
	 */
	async create(input: unknown, options: Cancellable = {}): Promise<AttributeDto> {
		const { store, account, random } = this.deps;
		const { content } = readCreateInput(input);
		return await store.transact(async (tx) => {
			await this.refuseDuplicate(tx, content.value as JsonObject);
			const record: AttributeRecord = {
				id: newId('attribute', random),
				createdAt: this.now(),
				content: identityAttributeOf(content, account.address),
			};
			await tx.attributes.insert(record, undefined);
			await appendAttributeEvent(tx, 'consumption.attributeCreated', record, record.createdAt);
			return toAttributeDto(record);
		}, options);
	}

	/** @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<AttributeDto> {
		parseInput(attributeIdSchema, id, (message) =>
			attributeErrors.create('invalidInput', { message, facts: { field: 'id' } }),
		);
		const entry = await this.deps.store.read((tx) => tx.attributes.get(id), options);
		if (entry !== undefined) return toAttributeDto(entry.record);
		throw attributeErrors.create('notFound', {
			message: `There is no attribute with the ID '${id}' in this account.`,
			facts: { attributeId: id },
		});
	}

	async list(
		query: Query<AttributeField> = {},
		options: Cancellable = {},
	): Promise<AttributeDto[]> {
		const entries = await this.deps.store.read((tx) => tx.attributes.list(query), options);
		return entries.map(({ record }) => toAttributeDto(record));
	}

	/** What a peer has shared of its own, newest first. */
	async peerAttributes(peer: string, options: Cancellable = {}): Promise<AttributeDto[]> {
		return await this.list(
			{
				where: [
					{ field: 'peer', op: 'eq', value: peer },
					{ field: 'owner', op: 'eq', value: peer },
				],
				orderBy: { field: 'inserted', direction: 'desc' },
			},
			options,
		);
	}

	/** The newest version of an own attribute that has this value, shared copies aside. */
	async findOwn(tx: ReadTransaction, value: JsonObject): Promise<AttributeRecord | undefined> {
		const existing = await tx.attributes.first({
			where: [
				{ field: 'owner', op: 'eq', value: this.deps.account.address },
				{
					field: 'valueHash',
					op: 'eq',
					value: attributeValueHash({ value: trimmedValue(value) }),
				},
				{ field: 'contentType', op: 'eq', value: 'IdentityAttribute' },
				{ field: 'peer', op: 'missing' },
				{ field: 'succeededBy', op: 'missing' },
			],
		});
		return existing?.record;
	}

	private async refuseDuplicate(tx: ReadTransaction, value: JsonObject): Promise<void> {
		const existing = await this.findOwn(tx, value);
		if (existing === undefined) return;
		throw attributeErrors.create('duplicate', {
			message: `There is already an attribute with this value: '${existing.id}'.`,
			facts: { attributeId: existing.id },
		});
	}

	private now(): string {
		return isoInstant(this.deps.clock.now());
	}
}
