import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import type { Random } from '../../base/random';
import type { Backbone } from '../../backbone/backbone';
import type { JsonObject } from '../../model/json';
import type { Store } from '../../store/store';
import type { FileService } from '../file/file-service';
import type { Account } from '../identity/account';

/** What the services of this noun are made of. */
export interface MessageContext {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly account: Account;
	readonly clock: Clock;
	readonly random: Random;
	readonly logger: Logger;
	readonly files: FileService;
	/** Parses own content: Mail or ArbitraryMessageContent; anything else is a coded error. */
	readonly prepareContent: (content: unknown) => JsonObject;
	/** Runs before anything is encrypted: a restored backup must not reuse counters. */
	readonly beforeSealing: (options: Cancellable) => Promise<void>;
}
