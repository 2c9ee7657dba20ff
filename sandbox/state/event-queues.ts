import type { SandboxSettings } from '../settings';
import { DropRules, type DropRule, type DroppedEvent } from './drop-rules';
import { QueueDelays } from './queue-delays';
import type { QueuedEvent, QueuedRow, QueuedTask } from './queued-task';
import type { SandboxState } from './sandbox-state';

/**
 * Work that the server does after it has answered: events, and what follows from the end of
 * relationships and objects. A kind sandbox does it at once. A real one puts it into queues, one per
 * kind of work and identity, each in order, but in any order between each other.
 */
export class EventQueues {
	/** carries a task out */
	onDue: (task: QueuedTask) => void = () => undefined;

	/** by when they are due */
	private readonly line: QueuedRow[];

	private readonly delays: QueueDelays;

	private readonly drops = new DropRules();

	private timer: NodeJS.Timeout | undefined;

	constructor(
		private readonly state: SandboxState,
		private readonly settings: Pick<SandboxSettings, 'behaviour' | 'seed' | 'repeatedShare'>,
	) {
		this.delays = new QueueDelays(settings.seed, settings.repeatedShare);
		this.line = [...state.queued.values()].sort((a, b) => a.dueAt - b.dueAt);
		this.wakeUp();
	}

	/** milliseconds since the epoch: goes with the server's clock, and as `advance` says */
	now(): number {
		return this.state.now() + this.state.queueOffsetMs;
	}

	/** Lets time pass for the queues alone, and carries out what is due then. */
	advance(durationMs: number): void {
		this.state.queueOffsetMs += durationMs;
		this.deliverDue();
	}

	/** Carries out everything now, in the order in which it would be due. */
	deliverAll(): void {
		for (let next = this.line.shift(); next !== undefined; next = this.line.shift()) this.run(next);
		this.wakeUp();
	}

	/** Called before each request is answered, so that it sees what is due. */
	deliverDue(): void {
		const now = this.now();
		while (this.line[0] !== undefined && this.line[0].dueAt <= now) {
			this.run(this.line.shift() as QueuedRow);
		}
		this.wakeUp();
	}

	/** Whether the server has nothing more to tell the identity: no event in a queue, none unfinished. */
	isEmptyFor(address: string): boolean {
		if (this.line.some(({ owners }) => owners.includes(address))) return false;
		return (this.state.openEvents.get(address) ?? []).every(({ blocked }) => blocked);
	}

	/** Loses events that the rule fits, in either behaviour, until {@link restore}. */
	drop(rule: DropRule): void {
		this.drops.add(rule);
	}

	/** Loses no more events; those that were lost stay so. */
	restore(): void {
		this.drops.clear();
	}

	/** Events that were lost, oldest first. */
	get dropped(): readonly DroppedEvent[] {
		return this.drops.dropped;
	}

	/** An event for `owner`, which comes after a while, perhaps twice. */
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

	/** Brings an event that was finished once more, with the same id. */
	putAgain(event: QueuedEvent, delayMs: number): void {
		this.add([event.owner], this.now() + delayMs, event);
	}

	/** Work for these identities that is no event. */
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
		return this.line.length === 0;
	}

	/** What waits, by when it is due. */
	get waiting(): ReadonlyArray<Pick<QueuedRow, 'owners' | 'task'>> {
		return this.line;
	}

	close(): void {
		clearTimeout(this.timer);
	}

	/** No task of a queue overtakes another of the same queue. */
	private afterQueue(name: string, delayMs: number): number {
		const last = this.line.findLast((row) => row.name === name);
		return Math.max(this.now() + delayMs, last?.dueAt ?? 0);
	}

	private add(owners: readonly string[], dueAt: number, task: QueuedTask, name?: string): void {
		const row = { id: this.state.newId('QUE'), name, owners, dueAt, task };
		this.state.queued.save(row);
		const after = this.line.findLastIndex((other) => other.dueAt <= dueAt);
		this.line.splice(after + 1, 0, row);
		if (after < 0) this.wakeUp();
	}

	private run({ id, task }: QueuedRow): void {
		this.state.queued.delete(id);
		this.onDue(task);
	}

	/** Push streams hear of an event when it is due, also when no call comes in. */
	private wakeUp(): void {
		clearTimeout(this.timer);
		const [next] = this.line;
		if (next === undefined) return;
		const delayMs = Math.min(Math.max(0, next.dueAt - this.now()), 60_000);
		this.timer = setTimeout(() => this.deliverDue(), delayMs).unref();
	}
}

function nameOf(type: string, owner: string): string {
	return `${type}|${owner}`;
}
