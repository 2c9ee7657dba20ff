import type { Cancellable } from '../../base/abort';
import type { GatewayError } from '../../base/errors';
import type { CreationContent } from '../../model/content/creation-content';
import type { TemplateContent } from '../../model/content/template-content';
import type { ReadTransaction } from '../../store/store';
import type { Account } from '../identity/account';
import type { Ledger } from '../unfinished/ledger';
import type { UnknownContent } from '../../model/json';
import type { Needs } from '../needs';

/** Dependencies of the services for relationships. */
export interface RelationshipDependencies extends Needs<
	'store' | 'backbone' | 'clock' | 'random' | 'logger' | 'observers'
> {
	readonly account: Account;
	readonly ledger: Ledger;
	/** runs before anything is encrypted: a copy of the account must not reuse counters */
	readonly beforeSealing: (options: Cancellable) => Promise<void>;
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
	/** Requests a sync soon: an acceptance releases withheld messages without any push. */
	readonly wakeSync: () => void;
}
