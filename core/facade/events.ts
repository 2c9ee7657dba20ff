import type { Cancellable } from '../base/abort';
import type { ConsumeOptions, EventFilter, GatewayEvent } from '../events/event-types';
import type { FollowOptions, FollowedEvents } from '../events/follow';

export interface EventUseCases {
	/**
	 * Delivers events until the signal aborts: reads the outbox after the consumer's cursor, delivers
	 * the events that match the filter in order, and moves the cursor as the verdicts say.
	 */
	consume(options: ConsumeOptions): Promise<void>;
	/** Returns the newest stored events that match, oldest first; moves no cursor. */
	recent(filter: EventFilter, limit: number, options?: Cancellable): Promise<GatewayEvent[]>;
	/** Waits for the next new event that matches; moves no cursor. */
	next(filter: EventFilter, options?: Cancellable): Promise<GatewayEvent>;
	/**
	 * Yields events after a position (default: the current end), in order, until the signal aborts.
	 * The first page has no events and contains the position; no cursor is stored.
	 *
	 * @throws `error.gateway.events.unknownPosition`, with the first page
	 */
	follow(options: FollowOptions): AsyncGenerator<FollowedEvents, never>;
	forget(consumer: string): Promise<void>;
	/** Publishes `runtime.modulesStarted`. Programs that run modules beside this gateway call it. */
	announceModulesStarted(options?: Cancellable): Promise<void>;
	/**
	 * Keeps the account in sync with the Backbone until released: syncs at the interval (the shortest
	 * of all callers' intervals) and, if wanted, immediately on push.
	 */
	keepSynced(options: KeepSyncedOptions): { release(): Promise<void> };
	/** Accepts pending relationships of peers as they arrive, until released. */
	autoAccept(options: {
		readonly templateIds?: readonly string[];
		readonly onProblem: ProblemListener;
	}): {
		release(): void;
	};
}

export interface KeepSyncedOptions {
	readonly intervalMs: number;
	readonly push: boolean;
	/**
	 * called once per change of state: with a problem that a person must solve,
	 * or when the problem is over
	 */
	readonly onProblem: ProblemListener;
}

export type ProblemListener = (problem: GatewayProblem | undefined) => void;

export interface GatewayProblem {
	readonly code: string;
	readonly message: string;
	readonly remedy?: string | undefined;
	/** true for a state that is not a failure: a person has decided to delete the identity */
	readonly isState?: boolean;
}
