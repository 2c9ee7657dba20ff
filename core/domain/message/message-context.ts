import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import type { Random } from '../../base/random';
import type { SendTimings } from '../../base/timings';
import type { Backbone } from '../../backbone/backbone';
import type { JsonObject } from '../../model/json';
import type { MessageRecord } from '../../model/record/message';
import type { Store, WriteTransaction } from '../../store/store';
import type { FileService } from '../file/file-service';
import type { Account } from '../identity/account';

/** Own content on its way into an envelope. */
export interface PreparedContent {
	readonly content: JsonObject;
	readonly recipients: readonly string[];
	readonly intentId: string;
}

/** What the services of this noun are made of. */
export interface MessageContext {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly account: Account;
	readonly clock: Clock;
	readonly random: Random;
	readonly timings: SendTimings;
	readonly logger: Logger;
	readonly files: FileService;
	/** Parses own content; a kind that no message carries is a coded error. */
	readonly prepareContent: (content: unknown) => JsonObject;
	/** May refuse content that is about to be sealed, in the transaction that stores the intent. */
	readonly contentPrepared?: (tx: WriteTransaction, message: PreparedContent) => Promise<void>;
	/** What a message means to other nouns, in the transaction that stores it as sent. */
	readonly contentSent?: (tx: WriteTransaction, message: MessageRecord) => Promise<void>;
	/** The same for what arrives; a fault of the peer is no reason to throw. */
	readonly contentReceived?: (tx: WriteTransaction, message: MessageRecord) => Promise<void>;
	/**
	 * Runs before anything is encrypted for these: a restored backup must not reuse counters, and a peer
	 * that goes on existing after all must not be refused.
	 */
	readonly beforeSealing: (peers: readonly string[], options: Cancellable) => Promise<void>;
}
