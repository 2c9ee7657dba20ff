import type { Cancellable } from '../base/abort';
import type { ConsumeOptions, EventFilter, EventOf } from '../events/event-types';
import type { EventPage, EventPageInput } from '../events/event-pages';
import type { FollowOptions, FollowedEvents } from '../events/follow';

/**
 * `consume`, `next`, `until` and `follow` wait: they keep the process alive until they end, which
 * they do by their signal or with the gateway. With `names` in the filter, the events are typed by
 * them: `event` narrows `data`.
 *
 * All methods with a filter throw `error.gateway.events.unknownName` for a name that no event has.
 */
export interface EventUseCases {
	/**
	 * Delivers events until the signal aborts: reads the outbox after the consumer's cursor, delivers
	 * the events that match the filter in order, and moves the cursor as the verdicts say. Called
	 * again after an error, it goes on where it was.
	 *
	 * @throws the codes `error.gateway.store.*` while the database is away
	 */
	consume<const Filter extends EventFilter>(options: ConsumeOptions<Filter>): Promise<void>;
	/** Returns the newest stored events that match, oldest first; moves no cursor. */
	recent<const Filter extends EventFilter>(
		filter: Filter,
		limit: number,
		options?: Cancellable,
	): Promise<Array<EventOf<Filter>>>;
	/** Waits for the next new event that matches; moves no cursor. */
	next<const Filter extends EventFilter>(
		filter: Filter,
		options?: Cancellable,
	): Promise<EventOf<Filter>>;
	/**
	 * Waits until something is so: calls `check` at once, and again after events that match, until it
	 * returns a value. No change between two checks is missed. Ends by the signal, with its reason.
	 *
	 * @param filter events that may bring it about
	 */
	until<Found>(
		filter: EventFilter,
		check: () => Promise<Found | undefined>,
		options?: Cancellable,
	): Promise<Found>;
	/**
	 * Yields events after a position (default: the current end), in order, until the signal aborts.
	 * The first page has no events and contains the position; no cursor is stored.
	 *
	 * @throws `error.gateway.events.unknownPosition`, with the first page
	 */
	follow<const Filter extends EventFilter>(
		options: FollowOptions<Filter>,
	): AsyncGenerator<FollowedEvents<EventOf<Filter>>, never>;
	/**
	 * Reads one page of events, for programs that ask from time to time. With the name of a consumer,
	 * it begins after what this consumer has acknowledged.
	 *
	 * @throws `error.gateway.events.unknownPosition`
	 */
	page(input: EventPageInput, options?: Cancellable): Promise<EventPage>;
	/**
	 * Notes that a consumer of pages has processed all events up to a position.
	 *
	 * @throws `error.gateway.events.unknownPosition`
	 */
	acknowledge(
		consumer: string,
		position: number,
		options?: Cancellable,
	): Promise<{
		/** acknowledged position, which never goes back */
		readonly position: number;
	}>;
	/** Deletes a consumer of pages, whose events are then no longer kept for it. */
	forgetReader(consumer: string, options?: Cancellable): Promise<void>;
	/** Deletes the cursor of a consumer and its parked events; a new one starts anew. */
	forget(consumer: string): Promise<void>;
	/** Publishes `runtime.modulesStarted`. Programs that run modules beside this gateway call it. */
	announceModulesStarted(options?: Cancellable): Promise<void>;
	/**
	 * Keeps the account in sync with the Backbone until released: syncs at the interval (the shortest
	 * of all callers' intervals) and, if wanted, immediately on push. Does not keep the process
	 * alive.
	 */
	keepSynced(options: KeepSyncedOptions): {
		/** Ends the syncs for this caller; resolves when a running sync has ended. */
		release(): Promise<void>;
	};
	/** Accepts pending relationships of peers as they arrive, until released. */
	autoAccept(options: {
		/** only relationships from these templates; absent: all */
		readonly templateIds?: readonly string[];
		/** only relationships from templates with one of these purposes; absent: all */
		readonly purposes?: readonly string[];
		readonly onProblem: ProblemListener;
	}): {
		/** Stops accepting; pending relationships then wait. */
		release(): void;
	};
}

/** How an account is kept in sync. */
export interface KeepSyncedOptions {
	/** milliseconds between two syncs */
	readonly intervalMs: number;
	/** true to sync at once when the Backbone signals a new event */
	readonly push: boolean;
	/**
	 * called once per change of state: with a problem that a person must solve,
	 * or when the problem is over
	 */
	readonly onProblem: ProblemListener;
}

/** Receives a problem, or undefined when it is over. */
export type ProblemListener = (problem: GatewayProblem | undefined) => void;

/** State in which the account cannot be synced until a person acts. */
export interface GatewayProblem {
	/** error code */
	readonly code: string;
	/** what happened */
	readonly message: string;
	/** what to do next; absent if there is no advice */
	readonly remedy?: string | undefined;
	/** true for a state that is not a failure: a person has decided to delete the identity */
	readonly isState?: boolean;
}
