import type { Cancellable } from '../base/abort';
import type { JsonObject } from '../model/json';
import type {
	Escalation,
	GroupRule,
	NewGroup,
	NewWait,
	WaitDto,
	WaitOutcome,
} from '../model/record/wait';

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
	/**
	 * Begins the wait for a group of people, of whom each is asked with a wait of
	 * `groupMember`. It ends as its rule says, and at the latest with its deadline.
	 *
	 * @throws `error.gateway.waits.deadlinePassed`
	 */
	beginGroup(wait: NewGroup, options?: Cancellable): Promise<void>;
	/** Id and key of the wait for one of the people of a group, for what is sent to that person. */
	groupMember(
		group: Pick<NewGroup, 'id' | 'key'>,
		index: number,
	): Required<Pick<NewWait, 'id' | 'key' | 'memberOf'>>;
	/** Notes that all people of a group were asked, apart from those who cannot be asked. */
	groupAsked(
		id: string,
		key: string,
		unasked: readonly UnaskedMember[],
		options?: Cancellable,
	): Promise<void>;
	/** Waits for the people of a group with their outcomes, in the order in which they were named. */
	members(id: string, key: string, options?: Cancellable): Promise<WaitDto[]>;
	/** Notes that the node gives n8n the outcome, before it does. */
	handOver(id: string, key: string, options?: Cancellable): Promise<void>;
	/** Ends a wait that will not be resumed. */
	discard(id: string, key: string, options?: Cancellable): Promise<void>;
	/** Waits for an answer to a template, without looking for new outcomes. */
	ofTemplate(templateId: string, options?: Cancellable): Promise<WaitDto[]>;
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

/** Person of a group who cannot be asked. */
export interface UnaskedMember {
	/** place in the group, from 0 */
	readonly index: number;
	/** address, if it is known */
	readonly peer?: string | undefined;
	/** data of the node, for example the reason */
	readonly note: JsonObject;
}

export type { Escalation, GroupRule, NewGroup, NewWait, WaitDto, WaitOutcome };
