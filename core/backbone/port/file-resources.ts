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

	/** The raw bytes, at most 10 MiB. */
	content(id: string, options?: CallOptions): Promise<Uint8Array>;

	metadata(id: string, options?: CallOptions): Promise<WireFile>;

	/** Only files that this identity created, also when they belong to somebody else by now. */
	list(ids: readonly string[], options?: ListOptions): Promise<WireListedFile[]>;

	/**
	 * For everybody; who created it may, its present owner may not.
	 * @throws `error.platform.forbidden`
	 */
	delete(id: string, options?: CallOptions): Promise<void>;

	/**
	 * Whether the token is the right one. Asking with a wrong one locks the file, unless we own it.
	 * False also for a locked file.
	 */
	validateOwnershipToken(
		id: string,
		ownershipToken: string,
		options?: CallOptions,
	): Promise<boolean>;

	/**
	 * Makes us the owner and gives the file's new ownership token. Repeated after a lost answer, so
	 * `error.platform.validation.file.cannotClaimOwnershipOfOwnFile` says that an earlier attempt went
	 * through.
	 * @throws `error.platform.forbidden` when the token is wrong, which locks the file, or it is locked
	 */
	claimOwnership(id: string, ownershipToken: string, options?: CallOptions): Promise<string>;

	/**
	 * A new ownership token, which also unlocks the file. Repeated by itself: the last one counts. Whether
	 * it is stored at all has to be asked with `validateOwnershipToken`.
	 * @throws `error.platform.forbidden` unless we own the file
	 */
	regenerateOwnershipToken(id: string, options?: CallOptions): Promise<string>;
}

export interface TokenResource {
	/** `anonymous` sends no access token: an empty token, to expire within five minutes. */
	create(
		body: CreateTokenBody,
		options?: CallOptions & { readonly anonymous?: boolean },
	): Promise<CreatedToken>;

	/** `anonymous` sends no access token (tokens for somebody are then never found). */
	get(id: string, options?: PasswordOptions & { readonly anonymous?: boolean }): Promise<WireToken>;

	/** Those that we have created or read before, expired ones too; needs no passwords. */
	list(ids: readonly string[], options?: ListOptions): Promise<WireListedToken[]>;

	/**
	 * Fills an empty token, which becomes ours. Repeated after a lost answer, so the second code may
	 * say that an earlier attempt went through.
	 * @throws `error.platform.token.tooManyFailedPasswordAttempts`,
	 * `error.platform.token.contentUpdateNotPossibleBecauseContentAlreadyExists`
	 */
	updateContent(
		id: string,
		body: UpdateTokenContentBody,
		options?: CallOptions,
	): Promise<UpdatedToken>;

	/** @throws `error.platform.forbidden` unless it is ours */
	delete(id: string, options?: CallOptions): Promise<void>;
}
