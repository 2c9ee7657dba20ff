import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { Random } from '../../base/random';
import type { Backbone } from '../../backbone/backbone';
import type { JsonObject } from '../../model/json';
import type { TemplateRecord } from '../../model/record/template';
import type { Store, WriteTransaction } from '../../store/store';
import type { Account } from '../identity/account';
import type { ObjectChanges } from '../object-changes';
import type { TokenService } from '../token/token-service';

/** What the services of this noun are made of. */
export interface TemplateDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly account: Account;
	readonly changes: ObjectChanges;
	readonly clock: Clock;
	readonly random: Random;
	readonly tokens: TokenService;
	/** Parses and checks own content, requests included; returns what is sent (consumption 4.7). */
	readonly prepareContent: (
		content: unknown,
		expiresAt: string,
		options: Cancellable,
	) => Promise<JsonObject>;
	/** What a peer's template means to other nouns, in the transaction that stores it. */
	readonly contentLoaded?: (tx: WriteTransaction, template: TemplateRecord) => Promise<void>;
	/** What they do when that has ended. */
	readonly afterLoading?: (options: Cancellable) => Promise<void>;
}
