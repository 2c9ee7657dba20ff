import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { Random } from '../../base/random';
import type { Backbone } from '../../backbone/port/backbone';
import type { TemplateContent } from '../../model/content/template-content';
import type { Store } from '../../store/store';
import type { Account } from '../identity/account';
import type { ObjectChanges } from '../object-changes';
import type { Observers } from '../observers';
import type { TokenService } from '../token/token-service';

/** Dependencies of the services for templates. */
export interface TemplateDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly account: Account;
	readonly changes: ObjectChanges;
	readonly clock: Clock;
	readonly random: Random;
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
	readonly observers: Observers;
	/** Runs after the transaction that has stored a peer's template. */
	readonly afterLoading?: (options: Cancellable) => Promise<void>;
}
