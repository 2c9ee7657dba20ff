import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type { QrCodeUseCases } from './qr-codes';
import type { HintOptions } from './requests';
import type {
	CreateTokenInput,
	FillTokenInput,
	LoadReferenceInput,
	LoadTokenInput,
} from '../model/input/token';
import type { TokenDto } from '../model/record/token';
import type { TokenField } from '../store/store';

/** Tokens, which carry an object or a text behind a short reference. */
export interface TokenUseCases extends QrCodeUseCases {
	/** http-api 8.13: `content`, `expiresAt`, `ephemeral`, `forIdentity`, `passwordProtection`. */
	create(input: CreateTokenInput, options?: HintOptions): Promise<TokenDto>;
	/**
	 * Returns a stored token.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<TokenDto>;
	/** Stored tokens; ephemeral ones are not stored. */
	list(input?: ListInput<TokenField>, options?: Cancellable): Promise<TokenDto[]>;
	/** `reference` and, for protected ones, `password`; with `ephemeral` the token is not stored. */
	loadPeer(input: LoadTokenInput, options?: Cancellable): Promise<TokenDto>;
	/** Loads the token anonymously. */
	loadAnonymous(input: LoadReferenceInput, options?: Cancellable): Promise<TokenDto>;
	/** Puts `content` into an empty token: `reference`, `password`, `ephemeral`. */
	fill(input: FillTokenInput, options?: Cancellable): Promise<TokenDto>;
	/** Deletes an own token here and at the Backbone, a peer's token only here. */
	delete(id: string, options?: Cancellable): Promise<void>;
}

export type {
	CreateTokenInput,
	FillTokenInput,
	LoadReferenceInput,
	LoadTokenInput,
} from '../model/input/token';
