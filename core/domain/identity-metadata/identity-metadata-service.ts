import type * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import { newId } from '../../model/ids';
import { publicMembers } from '../../model/json';
import {
	identityMetadataPlaceSchema,
	upsertIdentityMetadataSchema,
} from '../../model/input/identity-metadata';
import {
	identityMetadataSlot,
	identityMetadataDtoSchema,
	type IdentityMetadataDto,
	type IdentityMetadataRecord,
} from '../../model/record/identity-metadata';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { IdentityMetadataUseCases } from '../../facade/settings';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { Account } from '../identity/account';
import { parseInput } from '../validation';
import type { Observer } from '../observers';
import { identityMetadataErrors } from './identity-metadata-errors';
import { matching } from '../query/conditions';
import type { Needs } from '../needs';

export interface IdentityMetadataDependencies extends Needs<'store' | 'random'> {
	readonly account: Pick<Account, 'address'>;
}

/**
 * Values that clients store about this account's identity and about peers: one value of any kind
 * per address and key, where a missing key counts as a key of its own (docs/protocol/consumption.md
 * 12).
 */
export class IdentityMetadataService
	implements IdentityMetadataUseCases, Observer<'relationshipDecomposed'>
{
	constructor(private readonly dependencies: IdentityMetadataDependencies) {}

	/**
	 * Stores or replaces a value. Input: `reference`, `key`, `value`.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.identityMetadata.unfamiliarReferencedIdentity`
	 */
	async upsert(input: unknown, options: Cancellable = {}): Promise<IdentityMetadataDto> {
		const { value, ...place } = parseInput(upsertIdentityMetadataSchema, input);
		return await this.dependencies.store.transact(async (tx) => {
			await this.requireFamiliar(tx, place.reference);
			const stored = await find(tx, place);
			if (stored !== undefined) {
				await tx.identityMetadata.update({ ...stored, value });
				return toDto({ ...stored, value });
			}
			const { key, reference } = place;
			const record: IdentityMetadataRecord = {
				id: newId('identityMetadata', this.dependencies.random),
				reference,
				...(key === undefined ? {} : { key }),
				value,
			};
			await tx.identityMetadata.insertIfNew(record, undefined);
			return toDto(record);
		}, options);
	}

	/**
	 * @param input `reference`, `key`
	 * @throws `error.runtime.identityMetadata.notFound`,
	 * `error.runtime.validation.invalidPropertyValue`
	 */
	async get(input: unknown, options: Cancellable = {}): Promise<IdentityMetadataDto> {
		const place = parseInput(identityMetadataPlaceSchema, input);
		return toDto(await this.dependencies.store.read((tx) => findOrThrow(tx, place), options));
	}

	/**
	 * @param input `reference`, `key`
	 * @throws `error.runtime.identityMetadata.notFound`,
	 * `error.runtime.validation.invalidPropertyValue`
	 */
	async delete(input: unknown, options: Cancellable = {}): Promise<void> {
		const place = parseInput(identityMetadataPlaceSchema, input);
		await this.dependencies.store.transact(async (tx) => {
			const { id } = await findOrThrow(tx, place);
			await tx.identityMetadata.delete(id);
		}, options);
	}

	private async requireFamiliar(tx: ReadTransaction, reference: string): Promise<void> {
		if (reference === this.dependencies.account.address) return;
		const known = await tx.relationships.first({ where: matching({ peer: reference }) });
		if (known !== undefined) return;
		throw identityMetadataErrors.create('unfamiliar', {
			message: 'There is no relationship with the identity.',
			facts: { field: 'reference' },
		});
	}

	/** Removes the values about the peer (docs/protocol/consumption.md 8.14). */
	async relationshipDecomposed(tx: WriteTransaction, { peer }: RelationshipRecord): Promise<void> {
		const entries = await tx.identityMetadata.list({ where: matching({ reference: peer }) });
		for (const { record } of entries) await tx.identityMetadata.delete(record.id);
	}
}

type Place = Readonly<z.infer<typeof identityMetadataPlaceSchema>>;

async function find(
	tx: ReadTransaction,
	place: Place,
): Promise<IdentityMetadataRecord | undefined> {
	const slot = identityMetadataSlot(place);
	const entry = await tx.identityMetadata.first({ where: matching({ slot }) });
	return entry?.record;
}

async function findOrThrow(tx: ReadTransaction, place: Place): Promise<IdentityMetadataRecord> {
	const record = await find(tx, place);
	if (record !== undefined) return record;
	throw identityMetadataErrors.create('notFound', {
		// Clients compare this text (docs/protocol/http-api.md 18.2).
		message:
			'There is no stored IdentityMetadata for the specified combination of reference and key.',
	});
}

function toDto(record: IdentityMetadataRecord): IdentityMetadataDto {
	return publicMembers(identityMetadataDtoSchema, record);
}
