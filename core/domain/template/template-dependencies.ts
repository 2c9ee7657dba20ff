import type { Cancellable } from '../../base/abort';
import type { TemplateContent } from '../../model/content/template-content';
import type { Account } from '../identity/account';
import type { ObjectChanges } from '../object-changes';
import type { TokenService } from '../token/token-service';
import type { Needs } from '../needs';

/** Dependencies of the services for templates. */
export interface TemplateDependencies extends Needs<
	'store' | 'backbone' | 'clock' | 'random' | 'observers'
> {
	readonly account: Account;
	readonly changes: ObjectChanges;
	readonly tokens: TokenService;
	/**
	 * Parses and checks content of this account, requests included; returns the content to send
	 * (docs/protocol/consumption.md 4.7).
	 */
	readonly prepareContent: (
		content: unknown,
		expiresAt: string,
		options: Cancellable,
	) => Promise<TemplateContent>;
	/** Runs after the transaction that has stored a peer's template. */
	readonly afterLoading?: (options: Cancellable) => Promise<void>;
}
