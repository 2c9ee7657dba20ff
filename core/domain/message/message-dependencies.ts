import type { Cancellable } from '../../base/abort';
import type { SendTimings } from '../../base/timings';
import type { MessageContent } from '../../model/content/message-content';
import type { FileService } from '../file/file-service';
import type { Account } from '../identity/account';
import type { Needs } from '../needs';

/** Dependencies of the services for messages. */
export interface MessageDependencies extends Needs<
	'store' | 'backbone' | 'clock' | 'random' | 'logger' | 'observers'
> {
	readonly account: Account;
	readonly timings: SendTimings;
	readonly files: FileService;
	/**
	 * Parses content that this account sends; throws a coded error for a kind that no message
	 * carries.
	 */
	readonly prepareContent: (content: unknown) => MessageContent;
	/**
	 * Runs before anything is encrypted: a restored backup must not reuse counters. The cancelled
	 * deletion of a peer's identity must be noticed before the peer is refused, so the Backbone is
	 * asked about the named peers that are marked for deletion.
	 */
	readonly beforeSealing: (peers: readonly string[], options: Cancellable) => Promise<void>;
}
