import { setImmediate } from 'node:timers/promises';
import { throwIfAborted, type Cancellable } from '../base/abort';
import { isGatewayError } from '../base/errors';
import type { WireMessage } from '../backbone/dto';
import { isStoreAway, isUnanswered, Reachability } from '../domain/unfinished/reachability';
import type { ExternalEventFailure, InboxEvent } from '../model/record/sync';
import type { WriteTransaction } from '../store/store';
import { isExternalEventType } from './external-events';
import { prepareStep } from './steps';
import { reviewSenders } from './steps/messages';
import type { Apply, StepServices, ChangedIds, Prefetched } from './steps/step';
import { eventsWaitingForRelationship } from './waiting-events';
import { dueEvents, markDone, recordFailure } from './sync-inbox';
import type { Needs } from '../domain/needs';

/** messages requested with one call; each may hold up to 10 MiB */
const prefetchCount = 50;
/** messages applied with one commit, which occupies the event loop for a few milliseconds */
const togetherCount = 10;
/** characters of a sealed body; a message with a longer one is applied in a separate transaction */
const smallBodyLength = 64 * 1024;
/** events in one sync without a usable answer, after which the sync applies no more events */
const mostUnanswered = 3;

/** One pass over the inbox. */
interface Pass {
	readonly backbone: Reachability;
	/** number of events about which the Backbone gave no usable answer */
	unanswered: number;
}

interface PreparedEvent {
	readonly event: InboxEvent;
	readonly apply: Apply;
}

const nothingPrefetched: Prefetched = { messages: new Map(), reviewedSenders: new Set() };

export interface InboxApplierDependencies extends Needs<'store' | 'backbone' | 'clock' | 'logger'> {
	readonly services: StepServices;
}

/** Applies the external events of the durable inbox (transport 14); runs under the sync lease. */
export class InboxApplier {
	constructor(private readonly dependencies: InboxApplierDependencies) {}

	/** Applies due events in the Backbone's order and adds the outcome of each to `report`. */
	async apply(
		report: { readonly touched: ChangedIds[]; readonly failures: ExternalEventFailure[] },
		options: Cancellable,
	): Promise<void> {
		const { touched, failures } = report;
		const { store, clock } = this.dependencies;
		const pass: Pass = {
			backbone: new Reachability(this.dependencies.backbone, options),
			unanswered: 0,
		};
		for await (const batch of batchesOf(dueEvents(store, clock, options))) {
			const messages = await this.prefetchMessages(batch, options);
			for (const group of togetherAppliable(batch, messages)) {
				// A store in this process answers without letting timers and other connections run: without
				// this, they wait for 70 ms instead of 30 in a sync of 100,000 mails.
				await setImmediate();
				const together = await this.applyTogether(group, messages, options);
				touched.push(...(together ?? []));
				for (const event of together === undefined ? group : []) {
					// Each of them may cost a deadline, so the next sync applies the rest.
					if (pass.unanswered >= mostUnanswered) return;
					const outcome = await this.applyEvent(event, messages, pass, options);
					if ('code' in outcome) failures.push(outcome);
					else touched.push(outcome);
				}
			}
		}
		await this.applyWaiting(report, options);
	}

	/**
	 * Applies events whose relationship arrived after them, until no more of them succeed. An attempt
	 * that is still too early is not counted, so that the planned retries of the event are
	 * unaffected.
	 */
	private async applyWaiting(
		{ touched, failures }: Parameters<InboxApplier['apply']>[0],
		options: Cancellable,
	): Promise<void> {
		const { store, services, logger } = this.dependencies;
		if (!touched.some(({ relationshipId }) => relationshipId !== undefined)) return;
		for (let isProgress = true; isProgress;) {
			isProgress = false;
			const waiting = await store.read((tx) => eventsWaitingForRelationship(tx, touched), options);
			for (const event of waiting) {
				try {
					const apply = await prepareStep(event, services, nothingPrefetched, options);
					touched.push(
						...(await store.transact((tx) => applyAll(tx, [{ event, apply }]), options)),
					);
				} catch (error) {
					if (!isGatewayError(error)) throw error;
					logger.debug('an external event still waits', { type: event.type, code: error.code });
					continue;
				}
				isProgress = true;
				const reported = failures.findIndex(({ eventId }) => eventId === event.id);
				if (reported >= 0) failures.splice(reported, 1);
			}
		}
	}

	/** Applies several events in one transaction; undefined when they must be applied one by one. */
	private async applyTogether(
		events: readonly InboxEvent[],
		messages: ReadonlyMap<string, WireMessage>,
		options: Cancellable,
	): Promise<ChangedIds[] | undefined> {
		if (events.length < 2) return undefined;
		const { store, logger, services } = this.dependencies;
		try {
			const grouped = events.flatMap((event) => messageOf(event, messages) ?? []);
			const reviewedSenders = await reviewSenders(grouped, services, options);
			const prefetched = { messages, reviewedSenders };
			const prepared: PreparedEvent[] = [];
			for (const event of events) {
				prepared.push({ event, apply: await prepareStep(event, services, prefetched, options) });
			}
			return await store.transact((tx) => applyAll(tx, prepared), options);
		} catch (error) {
			// An event that fails must not hold up the others.
			logger.debug('applying events together failed', { reason: String(error) });
			return undefined;
		}
	}

	/**
	 * Applies one event and marks it done in the same transaction; a failure is counted and recorded.
	 * An object that the Backbone cannot answer is such a failure, too.
	 *
	 * @throws errors of a store or a Backbone that is unavailable
	 */
	private async applyEvent(
		event: InboxEvent,
		messages: ReadonlyMap<string, WireMessage>,
		pass: Pass,
		options: Cancellable,
	): Promise<ChangedIds | ExternalEventFailure> {
		const { store, clock, logger, services } = this.dependencies;
		if (!isExternalEventType(event.type)) {
			logger.info('an external event of an unknown type is acknowledged', { type: event.type });
		}
		try {
			const prefetched = { ...nothingPrefetched, messages };
			const apply = await prepareStep(event, services, prefetched, options);
			const [touched] = await store.transact((tx) => applyAll(tx, [{ event, apply }]), options);
			return touched ?? {};
		} catch (error) {
			throwIfAborted(options);
			if (isStoreAway(error)) throw error;
			if (isUnanswered(error)) {
				if (!(await pass.backbone.isReachable())) throw error;
				pass.unanswered++;
			}
			const recorded = await recordFailure(store, clock, event, error);
			if (recorded === undefined) return {};
			const { parked, ...failure } = recorded;
			logger.warn(parked ? 'an external event was given up' : 'an external event failed', {
				eventId: event.id,
				type: event.type,
				code: failure.code,
				reason: failure.message,
				attempt: event.attempts + 1,
				...(isGatewayError(error) ? {} : { detail: String(error) }),
			});
			return failure;
		}
	}

	/**
	 * Fetches many messages with one call; messages missing from the answer are requested one by one
	 * later.
	 */
	private async prefetchMessages(
		batch: readonly InboxEvent[],
		options: Cancellable,
	): Promise<ReadonlyMap<string, WireMessage>> {
		const ids = batch
			.filter((event) => event.type === 'MessageReceived')
			.map((event) => event.payload['id'])
			.filter((id) => typeof id === 'string');
		if (ids.length < 2) return new Map();
		try {
			const messages = await this.dependencies.backbone.messages.list(ids, options);
			return new Map(messages.map((message) => [message.id, message]));
		} catch (error) {
			// A malformed or huge message must not hold up the others: each is fetched separately.
			this.dependencies.logger.debug('fetching messages together failed', {
				reason: String(error),
			});
			return new Map();
		}
	}
}

/** Batches of events whose messages are fetched with one call. */
async function* batchesOf(
	pages: AsyncIterable<readonly InboxEvent[]>,
): AsyncGenerator<readonly InboxEvent[], void> {
	for await (const page of pages) {
		for (let start = 0; start < page.length; start += prefetchCount) {
			yield page.slice(start, start + prefetchCount);
		}
	}
}

/**
 * Applies events in their order, except those that are done already, because another process was
 * faster or a run was repeated.
 */
async function applyAll(
	tx: WriteTransaction,
	events: readonly PreparedEvent[],
): Promise<ChangedIds[]> {
	const stored = await tx.inbox.getMany(events.map(({ event }) => event.id));
	const states = new Map(stored.map(({ record }) => [record.id, record.state]));
	const touched: ChangedIds[] = [];
	for (const { event, apply } of events) {
		if (states.get(event.id) !== 'pending') continue;
		touched.push(await apply(tx));
		await markDone(tx, event);
	}
	return touched;
}

/**
 * Groups events in their order. Only messages are grouped, because they do not depend on the data
 * that the preceding event stores; large ones take so long that each is applied alone.
 */
function togetherAppliable(
	events: readonly InboxEvent[],
	messages: ReadonlyMap<string, WireMessage>,
): InboxEvent[][] {
	const groups: InboxEvent[][] = [];
	let open: InboxEvent[] | undefined;
	for (const event of events) {
		const message = messageOf(event, messages);
		const isSmallMessage = message !== undefined && message.body.length <= smallBodyLength;
		if (isSmallMessage && open !== undefined && open.length < togetherCount) {
			open.push(event);
			continue;
		}
		const group = [event];
		groups.push(group);
		open = isSmallMessage ? group : undefined;
	}
	return groups;
}

function messageOf(
	{ payload }: InboxEvent,
	messages: ReadonlyMap<string, WireMessage>,
): WireMessage | undefined {
	return typeof payload['id'] === 'string' ? messages.get(payload['id']) : undefined;
}
