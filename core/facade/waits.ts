import type { Cancellable } from '../base/abort';
import type { NewWait, WaitDto, WaitOutcome } from '../model/record/wait';

/**
 * Executions of n8n that wait for a person. A wait begins with what is sent (`messages.send`) or
 * shown (`templates.create`), ends with an outcome, and is removed when n8n has continued the
 * execution (docs/adr/0028).
 */
export interface WaitUseCases {
	/**
	 * Wait of a node, with its outcome once there is one. Undefined if the node waits for something
	 * else by now, or for nothing.
	 */
	find(id: string, key: string, options?: Cancellable): Promise<WaitDto | undefined>;
	/** Notes that the node gives n8n the outcome, before it does. */
	handOver(id: string, key: string, options?: Cancellable): Promise<void>;
	/** Ends a wait that will not be resumed. */
	discard(id: string, key: string, options?: Cancellable): Promise<void>;
	/** Waits in the order of their beginning. */
	list(options?: Cancellable): Promise<WaitDto[]>;
	/** True if the wallet of the peer is known to support questions with a free text. */
	knowsFreeText(peer: string, options?: Cancellable): Promise<boolean>;
	/**
	 * Keeps the account in sync while anything waits, and resumes the executions whose waits have
	 * ended, until released.
	 */
	keepResuming(): {
		/** Ends the syncs and calls; resolves when a running call has ended. */
		release(): Promise<void>;
	};
}

export type { NewWait, WaitDto, WaitOutcome };
