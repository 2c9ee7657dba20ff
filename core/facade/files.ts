import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type { QrCodeUseCases } from './qr-codes';
import type { UploadFileInput } from '../model/input/file';
import type { CreateObjectTokenInput, LoadReferenceInput } from '../model/input/token';
import type { DownloadedFile, FileDto } from '../model/record/file';
import type { TokenDto } from '../model/record/token';
import type { FileField } from '../store/store';

/** Files that this account has uploaded or received. */
export interface FileUseCases extends QrCodeUseCases {
	/**
	 * `filename`, `mimetype`, `title`, `description`, `tags`, `expiresAt` (http-api 8.6). A
	 * repetition with the same `idempotencyKey` returns the file that was stored the first time.
	 *
	 * @param content bytes, or the path of a file on this machine, which must never come from outside
	 */
	upload(
		input: UploadFileInput,
		content: Uint8Array | { readonly path: string },
		options?: Cancellable & { readonly idempotencyKey?: string },
	): Promise<FileDto>;
	/**
	 * Returns the metadata of a stored file.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<FileDto>;
	/** Lists the stored files, own and received ones. */
	list(input?: ListInput<FileField>, options?: Cancellable): Promise<FileDto[]>;
	/** `reference` of a file or token and, for protected ones, `password`. */
	getOrLoad(input: LoadReferenceInput, options?: Cancellable): Promise<FileDto>;
	/** Fetches the content from the Backbone each time. */
	download(id: string, options?: Cancellable): Promise<DownloadedFile>;
	/** Deletes an own file here and at the Backbone, a peer's file only here. */
	delete(id: string, options?: Cancellable): Promise<void>;
	/**
	 * Creates a token for the file: `expiresAt`, `ephemeral`, `forIdentity`, `passwordProtection`.
	 */
	createToken(id: string, input?: CreateObjectTokenInput, options?: Cancellable): Promise<TokenDto>;
	/**
	 * Returns a new ownership token for an own file and unlocks it. Fails if the Backbone
	 * does not store the new token.
	 */
	regenerateOwnershipToken(id: string, options?: Cancellable): Promise<FileDto>;
	/** Checks the token. A wrong token locks a file of another identity. */
	validateOwnershipToken(
		id: string,
		ownershipToken: string,
		options?: Cancellable,
	): Promise<boolean>;
	/** Makes this identity the owner of a loaded file. */
	claimOwnership(id: string, ownershipToken: string, options?: Cancellable): Promise<FileDto>;
}

export type { UploadFileInput } from '../model/input/file';
