import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type {
	IdentityMetadataPlaceInput,
	UpsertIdentityMetadataInput,
} from '../model/input/identity-metadata';
import type {
	CreateDraftInput,
	CreateSettingInput,
	SettingPlaceInput,
	UpdateDraftInput,
	UpdateSettingInput,
	UpsertSettingInput,
} from '../model/input/setting';
import type { IdentityMetadataDto } from '../model/record/identity-metadata';
import type { DraftDto, SettingDto } from '../model/record/setting';
import type { DraftField, SettingField } from '../store/store';

/** Data that clients store about this identity and its peers (consumption 12). */
export interface IdentityMetadataUseCases {
	/** `reference` (an address), `key`, `value`. */
	upsert(input: UpsertIdentityMetadataInput, options?: Cancellable): Promise<IdentityMetadataDto>;
	/** `reference`, `key`. */
	get(input: IdentityMetadataPlaceInput, options?: Cancellable): Promise<IdentityMetadataDto>;
	/** `reference`, `key`. */
	delete(input: IdentityMetadataPlaceInput, options?: Cancellable): Promise<void>;
}

/** Values that clients store under keys (consumption 12). */
export interface SettingUseCases {
	/**
	 * `key`, `scope` (Identity, Device or Relationship), `reference`, `value`; always adds a setting.
	 */
	create(input: CreateSettingInput, options?: Cancellable): Promise<SettingDto>;
	/**
	 * Returns a setting by its id.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<SettingDto>;
	/** Lists settings of all keys and scopes. */
	list(input?: ListInput<SettingField>, options?: Cancellable): Promise<SettingDto[]>;
	/** Returns the newest setting: `key`, `scope`, `reference`. */
	getByKey(input: SettingPlaceInput, options?: Cancellable): Promise<SettingDto>;
	/** Replaces the value of the newest setting, or adds one. */
	upsertByKey(input: UpsertSettingInput, options?: Cancellable): Promise<SettingDto>;
	/** `value`. */
	update(id: string, input: UpdateSettingInput, options?: Cancellable): Promise<SettingDto>;
	/**
	 * Deletes a setting.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	delete(id: string, options?: Cancellable): Promise<void>;
}

/** Unfinished objects that clients store (consumption 12). */
export interface DraftUseCases {
	/** `content`, `type`. */
	create(input: CreateDraftInput, options?: Cancellable): Promise<DraftDto>;
	/**
	 * Returns a draft by its id.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<DraftDto>;
	/** Lists the drafts of all types. */
	list(input?: ListInput<DraftField>, options?: Cancellable): Promise<DraftDto[]>;
	/** `content`. */
	update(id: string, input: UpdateDraftInput, options?: Cancellable): Promise<DraftDto>;
	/**
	 * Deletes a draft.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	delete(id: string, options?: Cancellable): Promise<void>;
}

export type {
	IdentityMetadataPlaceInput,
	UpsertIdentityMetadataInput,
} from '../model/input/identity-metadata';

export type {
	CreateDraftInput,
	CreateSettingInput,
	SettingPlaceInput,
	UpdateDraftInput,
	UpdateSettingInput,
	UpsertSettingInput,
} from '../model/input/setting';
