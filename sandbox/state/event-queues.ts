import type { SandboxSettings } from '../settings';
import { DropRules, type DropRule, type DroppedEvent } from './drop-rules';
import { QueueDelays } from './queue-delays';
import type { QueuedEvent, QueuedRow, QueuedTask } from './queued-task';
import type { SandboxState } from './sandbox-state';

/**
 * Work that the server does after its answer: events, and the consequences of ended relationships
 * and deleted objects. A kind sandbox does it at once. A real one puts it into queues, one per kind
 * of work and identity: each is in order, but there is no order between queues.
 */
export class EventQueues {
	/** executes a task */
	onDue: (task: QueuedTask) => void = () => undefined;

	/** tasks ordered by due time */
	private readonly rows: QueuedRow[];

	private readonly delays: QueueDelays;

	private readonly drops = new DropRules();

	private timer: NodeJS.Timeout | undefined;

	constructor(
		private readonly state: SandboxState,
		private readonly settings: Pick<SandboxSettings, 'behaviour' | 'seed' | 'repeatedShare'>,
	) {
		this.delays = new QueueDelays(settings.seed, settings.repeatedShare);
		this.rows = [...state.queued.values()].sort((a, b) => a.dueAt - b.dueAt);
		this.wakeUp();
	}

	/** milliseconds since the epoch: follows the server's clock, plus the time added by `advance` */
	now(): number {
		return this.state.now() + this.state.queueOffsetMs;
	}

	/** Advances the clock of the queues only, and executes the tasks then due. */
	advance(durationMs: number): void {
		this.state.queueOffsetMs += durationMs;
		this.deliverDue();
	}

	/** Executes all tasks now, in order of due time. */
	deliverAll(): void {
		for (let next = this.rows.shift(); next !== undefined; next = this.rows.shift()) this.run(next);
		this.wakeUp();
	}

	/**
	 * Executes due tasks; called before each request is answered, so that its answer includes them.
	 */
	deliverDue(): void {
		const now = this.now();
		while (this.rows[0] !== undefined && this.rows[0].dueAt <= now) {
			this.run(this.rows.shift() as QueuedRow);
		}
		this.wakeUp();
	}

	/**
	 * True if the server has nothing left for the identity: no queued event and no unfinished one.
	 */
	isEmptyFor(address: string): boolean {
		if (this.rows.some(({ owners }) => owners.includes(address))) return false;
		return (this.state.openEvents.get(address) ?? []).every(({ blocked }) => blocked);
	}

	/** Drops matching events, in either behaviour, until {@link restore}. */
	drop(rule: DropRule): void {
		this.drops.add(rule);
	}

	/** Stops dropping events; dropped ones stay lost. */
	restore(): void {
		this.drops.clear();
	}

	/** Dropped events, oldest first. */
	get dropped(): readonly DroppedEvent[] {
		return this.drops.dropped;
	}

	/** Queues an event for `owner`, which arrives with a delay, and possibly twice. */
	putEvent(event: QueuedEvent): void {
		const { owner, type } = event;
		const plan = this.delays.plan(owner, type);
		if (this.drops.take(event, plan.dropDraw)) return;
		if (this.settings.behaviour === 'kind') {
			this.onDue(event);
			return;
		}
		const dueAt = this.afterQueue(nameOf(type, owner), plan.delayMs);
		const isAnnounced = plan.headStartMs > 0;
		if (isAnnounced) this.add([owner], dueAt - plan.headStartMs, { kind: 'announce', owner });
		const repeatsAfterMs = plan.repetition === 'sameId' ? plan.repeatDelayMs : undefined;
		const name = nameOf(type, owner);
		this.add([owner], dueAt, { ...event, isAnnounced, repeatsAfterMs }, name);
		if (plan.repetition === 'otherId') this.add([owner], dueAt + plan.repeatDelayMs, event);
	}

	/** Queues an event again after it was finished, with the same id. */
	putAgain(event: QueuedEvent, delayMs: number): void {
		this.add([event.owner], this.now() + delayMs, event);
	}

	/** Queues work other than an event for these identities. */
	put(owners: readonly string[], task: Exclude<QueuedTask, QueuedEvent>): void {
		if (this.settings.behaviour === 'kind') {
			this.onDue(task);
			return;
		}
		const [first = ''] = owners;
		const name = nameOf(task.kind, first);
		const dueAt = this.afterQueue(name, this.delays.delayMs(first, task.kind));
		this.add(owners, dueAt, task, name);
	}

	get isEmpty(): boolean {
		return this.rows.length === 0;
	}

	/** Waiting tasks in order of due time. */
	get waiting(): ReadonlyArray<Pick<QueuedRow, 'owners' | 'task'>> {
		return this.rows;
	}

	close(): void {
		clearTimeout(this.timer);
	}

	/** Keeps the order within a queue: no task is due before the previous one. */
	private afterQueue(name: string, delayMs: number): number {
		const last = this.rows.findLast((row) => row.name === name);
		return Math.max(this.now() + delayMs, last?.dueAt ?? 0);
	}

	private add(owners: readonly string[], dueAt: number, task: QueuedTask, name?: string): void {
		const row = { id: this.state.newId('QUE'), name, owners, dueAt, task };
		this.state.queued.save(row);
		const after = this.rows.findLastIndex((other) => other.dueAt <= dueAt);
		this.rows.splice(after + 1, 0, row);
		if (after < 0) this.wakeUp();
	}

	private run({ id, task }: QueuedRow): void {
		this.state.queued.delete(id);
		this.onDue(task);
	}

	/** Sets a timer for the next due task, because push signals are sent without any call. */
	private wakeUp(): void {
		clearTimeout(this.timer);
		const [next] = this.rows;
		if (next === undefined) return;
		const delayMs = Math.min(Math.max(0, next.dueAt - this.now()), 60_000);
		this.timer = setTimeout(() => this.deliverDue(), delayMs).unref();
	}
}

function nameOf(type: string, owner: string): string {
	return `${type}|${owner}`;
}
