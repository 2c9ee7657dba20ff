import type * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { newId } from '../../model/ids';
import {
	createSettingSchema,
	settingPlaceSchema,
	updateSettingSchema,
	upsertSettingSchema,
} from '../../model/input/setting';
import { publicMembers } from '../../model/json';
import {
	settingRecordSchema,
	type SettingDto,
	type SettingRecord,
} from '../../model/record/setting';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { SettingUseCases } from '../../facade/settings';
import type { RelationshipRecord } from '../../model/record/relationship';
import { parseInput } from '../validation';
import { listOf } from '../query/list-with-query';
import type { Observer } from '../observers';
import { settingErrors } from './setting-errors';
import { settingQueryFields } from './setting-query';
import { matching } from '../query/conditions';
import type { Needs } from '../needs';

export type SettingDependencies = Needs<'store' | 'clock' | 'random'>;

/** Values that clients store under keys (docs/protocol/consumption.md 12). */
export class SettingService implements SettingUseCases, Observer<'relationshipDecomposed'> {
	constructor(private readonly dependencies: SettingDependencies) {}

	/**
	 * Adds a setting, even if another one has the same key. Input: `key`, `scope`, `reference`,
	 * `value`, `succeedsItem`, `succeedsAt`.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async create(input: unknown, options: Cancellable = {}): Promise<SettingDto> {
		const record = this.recordOf(parseInput(createSettingSchema, input));
		await this.dependencies.store.transact((tx) => tx.settings.insert(record, undefined), options);
		return record;
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<SettingDto> {
		const entry = await this.dependencies.store.read((tx) => tx.settings.get(id), options);
		if (entry !== undefined) return entry.record;
		throw unknown();
	}

	readonly list = listOf(settingQueryFields, async (query, options) => {
		const entries = await this.dependencies.store.read((tx) => tx.settings.list(query), options);
		return entries.map(({ record }) => record);
	});

	/**
	 * Returns the newest setting of a key. Input: `key`, `scope`, `reference`.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.validation.invalidPropertyValue`
	 */
	async getByKey(input: unknown, options: Cancellable = {}): Promise<SettingDto> {
		const place = parseInput(settingPlaceSchema, input);
		const record = await this.dependencies.store.read((tx) => newest(tx, place), options);
		if (record !== undefined) return record;
		throw unknown();
	}

	/**
	 * Replaces the value of the newest setting of a key, or adds a setting. Input: `key`, `scope`,
	 * `reference`, `value`.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async upsertByKey(input: unknown, options: Cancellable = {}): Promise<SettingDto> {
		const { value, ...place } = parseInput(upsertSettingSchema, input);
		return await this.dependencies.store.transact(async (tx) => {
			const stored = await newest(tx, place);
			if (stored === undefined) {
				const record = this.recordOf({ ...place, value });
				await tx.settings.insert(record, undefined);
				return record;
			}
			await tx.settings.update({ ...stored, value });
			return { ...stored, value };
		}, options);
	}

	/**
	 * @param input `value`
	 * @throws `error.runtime.recordNotFound`, `error.runtime.validation.invalidPropertyValue`
	 */
	async update(id: string, input: unknown, options: Cancellable = {}): Promise<SettingDto> {
		const { value } = parseInput(updateSettingSchema, input);
		return await this.dependencies.store.transact(async (tx) => {
			const entry = await tx.settings.get(id);
			if (entry === undefined) throw unknown();
			await tx.settings.update({ ...entry.record, value });
			return { ...entry.record, value };
		}, options);
	}

	/** @throws `error.runtime.recordNotFound` */
	async delete(id: string, options: Cancellable = {}): Promise<void> {
		await this.dependencies.store.transact(async (tx) => {
			if ((await tx.settings.get(id)) === undefined) throw unknown();
			await tx.settings.delete(id);
		}, options);
	}

	private recordOf(given: z.infer<typeof createSettingSchema>): SettingRecord {
		const { clock, random } = this.dependencies;
		const id = newId('setting', random);
		return publicMembers(settingRecordSchema, { ...given, id, createdAt: isoInstant(clock.now()) });
	}

	/** Removes settings for the relationship (docs/protocol/consumption.md 8.14). */
	async relationshipDecomposed(tx: WriteTransaction, { id }: RelationshipRecord): Promise<void> {
		const entries = await tx.settings.list({
			where: matching({ reference: id, scope: 'Relationship' }),
		});
		for (const { record } of entries) await tx.settings.delete(record.id);
	}
}

/** Finds the newest setting of a key; a missing reference counts as a reference of its own. */
async function newest(
	tx: ReadTransaction,
	{ key, scope, reference }: z.infer<typeof settingPlaceSchema>,
): Promise<SettingRecord | undefined> {
	const entry = await tx.settings.first({
		where: [
			...matching({ key, scope }),
			reference === undefined
				? { field: 'reference', op: 'missing' }
				: { field: 'reference', op: 'eq', value: reference },
		],
		orderBy: { field: 'inserted', direction: 'desc' },
	});
	return entry?.record;
}

function unknown(): Error {
	return settingErrors.create('notFound', { message: 'There is no such setting.' });
}
