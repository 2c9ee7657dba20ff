import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import type { Random } from '../../base/random';
import { newId } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import type { AttributeDto, AttributeRecord } from '../../model/record/attribute';
import { attributeValueHash } from '../../store/attribute-value-hash';
import type { AttributeField, Query, Store, WriteTransaction } from '../../store/store';
import type { Account } from '../identity/account';
import { attributeErrors } from './attribute-errors';
import { identityAttributeOf, readCreateInput } from './attribute-rules';

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
	 * Creates an attribute of our own identity.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.runtime.requestDeserialization`,
	 * `error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute`,
	 * `error.gateway.notSupportedYet`
	 */
	async create(input: unknown, options: Cancellable = {}): Promise<AttributeDto> {
		const { store, account, random } = this.deps;
		const { content } = readCreateInput(input);
		const attribute = identityAttributeOf(content, account.address);
		return await store.transact(async (tx) => {
			await this.refuseDuplicate(tx, attribute);
			const record: AttributeRecord = {
				id: newId('attribute', random),
				createdAt: this.now(),
				content: attribute,
			};
			await tx.attributes.insert(record, undefined);
			await this.publishCreated(tx, record);
			return toAttributeDto(record);
		}, options);
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<AttributeDto> {
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

	/** A copy that the peer chose the id of; one that is there already changes nothing. */
	async storePeerShared(
		tx: WriteTransaction,
		copy: { id: string; content: JsonObject; peer: string; requestReference: string },
	): Promise<void> {
		const record: AttributeRecord = {
			id: copy.id,
			createdAt: this.now(),
			content: copy.content,
			shareInfo: { peer: copy.peer, requestReference: copy.requestReference },
		};
		if (await tx.attributes.insert(record, undefined)) await this.publishCreated(tx, record);
	}

	/** Our side of a sharing: the copy under the peer's id, tied to its source (consumption 6.11). */
	async storeOwnShared(
		tx: WriteTransaction,
		copy: { id: string; source: AttributeRecord; peer: string; requestReference: string },
	): Promise<void> {
		const record: AttributeRecord = {
			id: copy.id,
			createdAt: this.now(),
			content: copy.source.content,
			shareInfo: {
				peer: copy.peer,
				requestReference: copy.requestReference,
				sourceAttribute: copy.source.id,
			},
		};
		await tx.attributes.insert(record, undefined);
	}

	private async refuseDuplicate(tx: WriteTransaction, content: JsonObject): Promise<void> {
		const existing = await tx.attributes.first({
			where: [
				{ field: 'owner', op: 'eq', value: this.deps.account.address },
				{ field: 'valueHash', op: 'eq', value: attributeValueHash(content) },
				{ field: 'peer', op: 'missing' },
				{ field: 'succeededBy', op: 'missing' },
			],
		});
		if (existing === undefined) return;
		throw attributeErrors.create('duplicate', {
			message: `There is already an attribute with this value: '${existing.record.id}'.`,
			facts: { attributeId: existing.record.id },
		});
	}

	private async publishCreated(tx: WriteTransaction, record: AttributeRecord): Promise<void> {
		await tx.outbox.append({
			name: 'consumption.attributeCreated',
			createdAt: this.now(),
			...(record.shareInfo === undefined ? {} : { peer: record.shareInfo.peer }),
			subject: record.id,
			data: toAttributeDto(record) as unknown as JsonObject,
		});
	}

	private now(): string {
		return isoInstant(this.deps.clock.now());
	}
}

export function toAttributeDto(record: AttributeRecord): AttributeDto {
	const owner = record.content['owner'];
	return { ...record, owner: typeof owner === 'string' ? owner : '' };
}
