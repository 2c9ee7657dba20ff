import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type { QrCodeUseCases } from './qr-codes';
import type { TemplateDto } from '../model/record/template';
import type { TokenDto } from '../model/record/token';
import type { NewWait } from '../model/record/wait';
import type { TemplateField } from '../store/store';

export interface CreateTemplateOptions extends Cancellable {
	/** execution that waits for the first answer */
	readonly wait?: NewWait | undefined;
}

export interface TemplateUseCases extends QrCodeUseCases {
	/**
	 * http-api 8.12: `maxNumberOfAllocations`, `expiresAt`, `content`,
	 * `forIdentity`, `passwordProtection`.
	 */
	create(input: unknown, options?: CreateTemplateOptions): Promise<TemplateDto>;
	get(id: string, options?: Cancellable): Promise<TemplateDto>;
	list(input?: ListInput<TemplateField>, options?: Cancellable): Promise<TemplateDto[]>;
	/** `reference` and, for protected ones, `password`. */
	loadPeer(input: unknown, options?: Cancellable): Promise<TemplateDto>;
	/** Prevents all identities from using the template; existing relationships from it stay unchanged. */
	delete(id: string, options?: Cancellable): Promise<void>;
	/**
	 * Creates a token for an own template: `expiresAt`, `ephemeral`, `forIdentity`, `passwordProtection`.
	 */
	createToken(id: string, input?: unknown, options?: Cancellable): Promise<TokenDto>;
}
