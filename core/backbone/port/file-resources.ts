import type {
	CreateTokenBody,
	CreatedToken,
	UpdateTokenContentBody,
	UpdatedToken,
	UploadFileFields,
	UploadedFile,
	WireFile,
	WireListedFile,
	WireListedToken,
	WireToken,
} from '../dto';
import type { CallOptions, ListOptions, PasswordOptions } from './call-options';

export interface FileResource {
	upload(
		content: Uint8Array,
		fields: UploadFileFields,
		options?: CallOptions,
	): Promise<UploadedFile>;

	/** Returns the raw bytes, at most 10 MiB. */
	content(id: string, options?: CallOptions): Promise<Uint8Array>;

	metadata(id: string, options?: CallOptions): Promise<WireFile>;

	/**
	 * Lists only files that this identity created, including files that now belong to another
	 * identity.
	 */
	list(ids: readonly string[], options?: ListOptions): Promise<WireListedFile[]>;

	/**
	 * Deletes the file for all identities. Its creator may do this, its present owner may not.
	 * @throws `error.platform.forbidden`
	 */
	delete(id: string, options?: CallOptions): Promise<void>;

	/**
	 * Checks the token; false also for a locked file. A wrong token locks the file,
	 * unless this identity owns it.
	 */
	validateOwnershipToken(
		id: string,
		ownershipToken: string,
		options?: CallOptions,
	): Promise<boolean>;

	/**
	 * Makes this identity the owner and returns the file's new ownership token. Repeated after a lost
	 * answer, so `error.platform.validation.file.cannotClaimOwnershipOfOwnFile` may mean that an
	 * earlier attempt succeeded.
	 * @throws `error.platform.forbidden` if the token is wrong, which locks the
	 * file, or if the file is locked
	 */
	claimOwnership(id: string, ownershipToken: string, options?: CallOptions): Promise<string>;

	/**
	 * Returns a new ownership token and unlocks the file. Repeated automatically: the last token is
	 * valid. Only `validateOwnershipToken` shows whether the Backbone has stored it.
	 * @throws `error.platform.forbidden` unless this identity owns the file
	 */
	regenerateOwnershipToken(id: string, options?: CallOptions): Promise<string>;
}

export interface TokenResource {
	/**
	 * `anonymous` sends no access token and creates an empty token, which must
	 * expire within five minutes.
	 */
	create(
		body: CreateTokenBody,
		options?: CallOptions & { readonly anonymous?: boolean },
	): Promise<CreatedToken>;

	/**
	 * `anonymous` sends no access token, and the Backbone then hides tokens for a certain identity.
	 */
	get(id: string, options?: PasswordOptions & { readonly anonymous?: boolean }): Promise<WireToken>;

	/**
	 * Lists tokens that this identity has created or read before, including expired
	 * ones; needs no passwords.
	 */
	list(ids: readonly string[], options?: ListOptions): Promise<WireListedToken[]>;

	/**
	 * Fills an empty token, which then belongs to this identity. Repeated after a lost answer, so the
	 * second code may mean that an earlier attempt succeeded.
	 * @throws `error.platform.token.tooManyFailedPasswordAttempts`,
	 * `error.platform.token.contentUpdateNotPossibleBecauseContentAlreadyExists`
	 */
	updateContent(
		id: string,
		body: UpdateTokenContentBody,
		options?: CallOptions,
	): Promise<UpdatedToken>;

	/** @throws `error.platform.forbidden` unless the token belongs to this identity */
	delete(id: string, options?: CallOptions): Promise<void>;
}
