import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import type { Random } from '../../base/random';
import type { SendTimings } from '../../base/timings';
import type { Backbone } from '../../backbone/port/backbone';
import type { MessageContent } from '../../model/content/message-content';
import type { Store } from '../../store/store';
import type { FileService } from '../file/file-service';
import type { Account } from '../identity/account';
import type { Observers } from '../observers';

/** Dependencies of the services for messages. */
export interface MessageDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly account: Account;
	readonly clock: Clock;
	readonly random: Random;
	readonly timings: SendTimings;
	readonly logger: Logger;
	readonly files: FileService;
	/**
	 * Parses content that this account sends; throws a coded error for a kind that no message
	 * carries.
	 */
	readonly prepareContent: (content: unknown) => MessageContent;
	readonly observers: Observers;
	/**
	 * Runs before anything is encrypted: a restored backup must not reuse counters. The cancelled
	 * deletion of a peer's identity must be noticed before the peer is refused, so the Backbone is
	 * asked about the named peers that are marked for deletion.
	 */
	readonly beforeSealing: (peers: readonly string[], options: Cancellable) => Promise<void>;
}
