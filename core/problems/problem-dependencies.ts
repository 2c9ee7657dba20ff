import type { Cancellable } from '../base/abort';
import type { Clock } from '../base/clock';
import type { MessageService } from '../domain/message/message-service';
import type { Store } from '../store/store';

/** What listing, retrying and discarding problems need. */
export interface ProblemDependencies {
	readonly store: Store;
	readonly clock: Clock;
	readonly messages: MessageService;
	/** lets consumers of this process look at once */
	readonly wakeConsumers: () => void;
	/** runs a sync, or waits for the sync that runs already */
	readonly sync: (options: Cancellable) => Promise<unknown>;
}
