import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { newId } from '../../model/ids';
import { createDraftSchema, updateDraftSchema } from '../../model/input/setting';
import type { DraftDto, DraftRecord } from '../../model/record/setting';
import type { DraftUseCases } from '../../facade/settings';
import { parseInput } from '../validation';
import { listOf } from '../query/list-with-query';
import { settingErrors } from './setting-errors';
import type { SettingDependencies } from './setting-service';
import { draftQueryFields } from './setting-query';

/** Drafts that clients store in the account (docs/protocol/consumption.md 12). */
export class DraftService implements DraftUseCases {
	constructor(private readonly dependencies: SettingDependencies) {}

	/**
	 * @param input `content`, `type`
	 * @throws `error.runtime.validation.invalidPropertyValue`
	 */
	async create(input: unknown, options: Cancellable = {}): Promise<DraftDto> {
		const { content, type } = parseInput(createDraftSchema, input);
		const { store, random } = this.dependencies;
		const now = isoInstant(this.dependencies.clock.now());
		const id = newId('draft', random);
		const record: DraftRecord = { id, type, createdAt: now, lastModifiedAt: now, content };
		await store.transact((tx) => tx.drafts.insert(record, undefined), options);
		return record;
	}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<DraftDto> {
		const entry = await this.dependencies.store.read((tx) => tx.drafts.get(id), options);
		if (entry !== undefined) return entry.record;
		throw unknown();
	}

	readonly list = listOf(draftQueryFields, async (query, options) => {
		const entries = await this.dependencies.store.read((tx) => tx.drafts.list(query), options);
		return entries.map(({ record }) => record);
	});

	/**
	 * Replaces the content; as in official software, the time of the last change stays unchanged.
	 *
	 * @param input `content`
	 * @throws `error.runtime.recordNotFound`, `error.runtime.validation.invalidPropertyValue`
	 */
	async update(id: string, input: unknown, options: Cancellable = {}): Promise<DraftDto> {
		const { content } = parseInput(updateDraftSchema, input);
		return await this.dependencies.store.transact(async (tx) => {
			const entry = await tx.drafts.get(id);
			if (entry === undefined) throw unknown();
			await tx.drafts.update({ ...entry.record, content });
			return { ...entry.record, content };
		}, options);
	}

	/** @throws `error.runtime.recordNotFound` */
	async delete(id: string, options: Cancellable = {}): Promise<void> {
		await this.dependencies.store.transact(async (tx) => {
			if ((await tx.drafts.get(id)) === undefined) throw unknown();
			await tx.drafts.delete(id);
		}, options);
	}
}

function unknown(): Error {
	return settingErrors.create('notFound', { message: 'There is no such draft.' });
}
