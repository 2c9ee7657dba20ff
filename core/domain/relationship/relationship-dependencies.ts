import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { GatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { Random } from '../../base/random';
import type { Backbone } from '../../backbone/port/backbone';
import type { CreationContent } from '../../model/content/creation-content';
import type { TemplateContent } from '../../model/content/template-content';
import type { ReadTransaction, Store } from '../../store/store';
import type { Account } from '../identity/account';
import type { Observers } from '../observers';
import type { Ledger } from '../unfinished/ledger';
import type { UnknownContent } from '../../model/json';

/** Dependencies of the services for relationships. */
export interface RelationshipDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly account: Account;
	readonly clock: Clock;
	readonly random: Random;
	readonly ledger: Ledger;
	/** runs before anything is encrypted: a copy of the account must not reuse counters */
	readonly beforeSealing: (options: Cancellable) => Promise<void>;
	readonly logger: Logger;
	/**
	 * Parses this account's creation content; refuses content that the template's kind does not
	 * allow.
	 */
	readonly prepareCreationContent: (
		content: unknown,
		templateContent: TemplateContent | UnknownContent,
	) => CreationContent;
	/** Returns the reason why the creation content does not answer the template, or undefined. */
	readonly checkCreationContent?: (
		tx: ReadTransaction,
		templateId: string,
		content: CreationContent,
	) => Promise<GatewayError | undefined>;
	readonly observers: Observers;
	/** Requests a sync soon: an acceptance releases withheld messages without any push. */
	readonly wakeSync: () => void;
}
