import type { PushStreams } from '../push-stream';
import type { SandboxSettings } from '../settings';
import type { EventQueues } from './event-queues';
import type { QueuedEvent } from './queued-task';
import type { EventRow, RelationshipRow, RunRow } from './records';
import type { SandboxState } from './sandbox-state';

const maxErrors = 3;

/**
 * External events: creation, blocking, and delivery in sync runs (docs/protocol/backbone-api.md 11,
 * 12).
 */
export class ExternalEvents {
	constructor(
		private readonly state: SandboxState,
		private readonly queues: EventQueues,
		private readonly push: PushStreams,
		private readonly settings: Pick<SandboxSettings, 'majorVersion'>,
	) {}

	/** @param context relationship whose status may hold the event back */
	add(
		owner: string,
		type: string,
		payload: Record<string, unknown>,
		context?: RelationshipRow,
	): void {
		this.queues.putEvent({ kind: 'event', owner, type, payload, context: context?.id });
	}

	/**
	 * Shows a message again as a new one, as a Backbone can that keeps what it got, for tests.
	 *
	 * @param createdAt time under which it is shown; default: now
	 * @returns the new id
	 */
	showAgain(messageId: string, createdAt = this.state.timestamp()): string {
		const earlier = this.state.messages.get(messageId);
		if (earlier === undefined) throw new Error(`The sandbox has no message ${messageId}`);
		const id = this.state.newId('MSG');
		const recipients = earlier.recipients.map((recipient) => ({
			...recipient,
			receivedAt: null,
			receivedByDevice: null,
		}));
		this.state.addMessage({ ...earlier, id, createdAt, recipients, repeats: messageId });
		for (const { address } of recipients) this.add(address, 'MessageReceived', { id });
		return id;
	}

	/** Makes an event available to the next sync run: assigns its index and sends a push signal. */
	deliver(event: QueuedEvent): void {
		const { owner, type, payload, context, repeatsAfterMs } = event;
		const identity = this.state.identities.get(owner);
		if (identity === undefined) return;
		this.state.addEvent({
			id: event.id ?? this.state.newId('SYI'),
			type,
			index: this.nextIndex(owner),
			createdAt: this.state.timestamp(),
			syncErrorCount: 0,
			payload,
			owner,
			...(context === undefined ? {} : { context }),
			...(repeatsAfterMs === undefined ? {} : { repeatsAfterMs }),
			blocked: this.holdsBack(context),
			done: false,
		});
		if (event.isAnnounced !== true) this.sendPushSignal(owner);
	}

	/**
	 * Sends a push signal for an event, even if it is held back. Version 6.58.1 sends it to an
	 * identity that is to be deleted, too, 7.1.10 does not.
	 */
	sendPushSignal(owner: string): void {
		const isEnding = this.state.identities.get(owner)?.status === 'ToBeDeleted';
		if (isEnding && this.settings.majorVersion === 7) return;
		this.push.send(owner, 'ExternalEventCreated');
	}

	/** Notifies the other party of a change of the relationship. */
	relationshipChanged(relationship: RelationshipRow, actor: string, type: string): void {
		const other = relationship.from === actor ? relationship.to : relationship.from;
		this.add(other, type, { relationshipId: relationship.id });
	}

	/** Releases the held-back events of both parties, or drops them if the relationship has ended. */
	release(relationship: RelationshipRow, how: 'unblock' | 'drop'): void {
		for (const party of [relationship.from, relationship.to]) {
			const events = this.state.openEvents.get(party) ?? [];
			const concerned = events.filter(
				(event) => event.context === relationship.id && event.blocked,
			);
			for (const event of concerned) {
				event.blocked = false;
				this.state.events.save(event);
			}
			if (how === 'drop') this.remove(party, new Set(concerned));
		}
	}

	dropFor(party: string, relationship: RelationshipRow): void {
		const events = this.state.openEvents.get(party) ?? [];
		this.remove(party, new Set(events.filter((event) => event.context === relationship.id)));
	}

	deliverable(owner: string): EventRow[] {
		return (this.state.openEvents.get(owner) ?? []).filter(
			(event) => event.runId === undefined && !event.blocked && event.syncErrorCount < maxErrors,
		);
	}

	/** Assigns all deliverable events to the run. */
	assign(run: RunRow): void {
		for (const event of run.events) {
			event.runId = run.id;
			this.state.events.save(event);
		}
		this.state.addRun(run);
	}

	/** Ends a run; events that are not reported as successful count as failed. */
	settle(run: RunRow, succeeded: ReadonlySet<string>): void {
		run.finalized = true;
		this.state.runs.save(run);
		this.state.openRun.delete(run.owner);
		const finished = new Set<EventRow>();
		for (const event of run.events) {
			event.runId = undefined;
			if (succeeded.has(event.id)) event.done = true;
			else event.syncErrorCount++;
			if (event.done || event.syncErrorCount >= maxErrors) finished.add(event);
			else if (this.state.events.has(event.id)) this.state.events.save(event);
		}
		this.remove(run.owner, finished);
		for (const event of finished) this.repeat(event);
	}

	/** Continues after the highest index of unfinished events; starts again at 0 without any. */
	private nextIndex(owner: string): number {
		return (this.state.openEvents.get(owner)?.at(-1)?.index ?? -1) + 1;
	}

	private holdsBack(context: string | undefined): boolean {
		const status =
			context === undefined ? undefined : this.state.relationships.get(context)?.status;
		return status === 'Pending' || status === 'Terminated';
	}

	private repeat({ id, owner, type, payload, context, repeatsAfterMs }: EventRow): void {
		if (repeatsAfterMs === undefined) return;
		this.queues.putAgain({ kind: 'event', id, owner, type, payload, context }, repeatsAfterMs);
	}

	private remove(owner: string, gone: ReadonlySet<EventRow>): void {
		if (gone.size === 0) return;
		for (const { id } of gone) this.state.events.delete(id);
		const events = this.state.openEvents.get(owner) ?? [];
		this.state.openEvents.set(
			owner,
			events.filter((event) => !gone.has(event)),
		);
		const run = this.state.openRun.get(owner);
		if (run !== undefined) run.events = run.events.filter((event) => !gone.has(event));
	}
}
