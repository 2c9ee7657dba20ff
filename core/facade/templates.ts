import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type { QrCodeUseCases } from './qr-codes';
import type { HintOptions } from './requests';
import type { CreateTemplateInput } from '../model/input/template';
import type { CreateObjectTokenInput, LoadReferenceInput } from '../model/input/token';
import type { TemplateDto } from '../model/record/template';
import type { TokenDto } from '../model/record/token';
import type { NewWait } from '../model/record/wait';
import type { TemplateField } from '../store/store';

/** Options of the creation of a template. */
export interface CreateTemplateOptions extends HintOptions {
	/** execution that waits for the first answer */
	readonly wait?: NewWait | undefined;
	/**
	 * Whether answers of connected peers to a template with a password or PIN count. They come by
	 * message, which cannot prove that its sender knows the password. Default: the setting of the
	 * gateway.
	 */
	readonly acceptUnprovenAnswers?: boolean | undefined;
}

/** Relationship templates: own ones, which others load, and loaded ones of peers. */
export interface TemplateUseCases extends QrCodeUseCases {
	/**
	 * http-api 8.12: `maxNumberOfAllocations`, `expiresAt`, `content`,
	 * `forIdentity`, `passwordProtection`; and `purpose`, which stays in this account.
	 */
	create(input: CreateTemplateInput, options?: CreateTemplateOptions): Promise<TemplateDto>;
	/**
	 * Returns a stored template.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<TemplateDto>;
	/** Lists the stored templates, own and loaded ones; deleted ones are left out. */
	list(input?: ListInput<TemplateField>, options?: Cancellable): Promise<TemplateDto[]>;
	/** Purposes of stored templates and relationships, newest first; at most a hundred. */
	usedPurposes(options?: Cancellable): Promise<string[]>;
	/** `reference` and, for protected ones, `password`. */
	loadPeer(input: LoadReferenceInput, options?: Cancellable): Promise<TemplateDto>;
	/**
	 * Prevents all identities from using the template; existing relationships from it stay unchanged.
	 */
	delete(id: string, options?: Cancellable): Promise<void>;
	/**
	 * Creates a token for an own template: `expiresAt`, `ephemeral`, `forIdentity`,
	 * `passwordProtection`.
	 */
	createToken(id: string, input?: CreateObjectTokenInput, options?: Cancellable): Promise<TokenDto>;
}

export type { CreateTemplateInput } from '../model/input/template';

export type { CreateObjectTokenInput, LoadReferenceInput } from '../model/input/token';
