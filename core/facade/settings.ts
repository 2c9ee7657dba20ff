import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type { IdentityMetadataDto } from '../model/record/identity-metadata';
import type { DraftDto, SettingDto } from '../model/record/setting';
import type { DraftField, SettingField } from '../store/store';

/** Data that clients store about this identity and its peers (consumption 12). */
export interface IdentityMetadataUseCases {
	/** `reference` (an address), `key`, `value`. */
	upsert(input: unknown, options?: Cancellable): Promise<IdentityMetadataDto>;
	/** `reference`, `key`. */
	get(input: unknown, options?: Cancellable): Promise<IdentityMetadataDto>;
	/** `reference`, `key`. */
	delete(input: unknown, options?: Cancellable): Promise<void>;
}

/** Values that clients store under keys (consumption 12). */
export interface SettingUseCases {
	/** `key`, `scope` (Identity, Device or Relationship), `reference`, `value`; always adds a setting. */
	create(input: unknown, options?: Cancellable): Promise<SettingDto>;
	get(id: string, options?: Cancellable): Promise<SettingDto>;
	list(input?: ListInput<SettingField>, options?: Cancellable): Promise<SettingDto[]>;
	/** Returns the newest setting: `key`, `scope`, `reference`. */
	getByKey(input: unknown, options?: Cancellable): Promise<SettingDto>;
	/** Replaces the value of the newest setting, or adds one. */
	upsertByKey(input: unknown, options?: Cancellable): Promise<SettingDto>;
	/** `value`. */
	update(id: string, input: unknown, options?: Cancellable): Promise<SettingDto>;
	delete(id: string, options?: Cancellable): Promise<void>;
}

/** Unfinished objects that clients store (consumption 12). */
export interface DraftUseCases {
	/** `content`, `type`. */
	create(input: unknown, options?: Cancellable): Promise<DraftDto>;
	get(id: string, options?: Cancellable): Promise<DraftDto>;
	list(input?: ListInput<DraftField>, options?: Cancellable): Promise<DraftDto[]>;
	/** `content`. */
	update(id: string, input: unknown, options?: Cancellable): Promise<DraftDto>;
	delete(id: string, options?: Cancellable): Promise<void>;
}
