import type { Cancellable } from '../../base/abort';
import type { CreateAccessKeyInput, RotateAccessKeyInput } from '../../model/input/access-key';
import type { AccessKeyDto, NewAccessKeyDto } from '../../model/record/http/access-key';

/** What a key allows. */
export interface AcceptedAccessKey {
	/** id of the key */
	readonly id: string;
	/** name of the key */
	readonly name: string;
	/** patterns of the roles */
	readonly scopes: readonly string[];
	/** milliseconds since the epoch from which on the key is refused; absent: never */
	readonly expiresAtMs?: number | undefined;
}

/** Keys of programs that use this account over HTTP. */
export interface AccessKeyUseCases {
	/**
	 * Creates a key: `name`, `scopes`, `expiresAt`. Its text is in this result only.
	 *
	 * @throws `error.gateway.accessKeys.nameTaken`, `error.gateway.accessKeys.tooMany`,
	 * `error.runtime.validation.invalidPropertyValue`
	 */
	create(input: CreateAccessKeyInput, options?: Cancellable): Promise<NewAccessKeyDto>;
	/** Lists all keys, the oldest first. */
	list(options?: Cancellable): Promise<AccessKeyDto[]>;
	/**
	 * Gives a key a new text: `overlapHours`, `expiresAt`. The text before stays valid for the
	 * overlap.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.validation.invalidPropertyValue`
	 */
	rotate(id: string, input?: RotateAccessKeyInput, options?: Cancellable): Promise<NewAccessKeyDto>;
	/**
	 * Removes a key, which is refused from then on.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	revoke(id: string, options?: Cancellable): Promise<void>;
	/** Finds a key by its text; undefined for an unknown or expired one. */
	find(text: string, options?: Cancellable): Promise<AcceptedAccessKey | undefined>;
}
