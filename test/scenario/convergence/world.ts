import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import type { RelationshipRow } from '../../../sandbox/state/records';
import { Party } from './party';

/** A Backbone that can be stopped, two parties, and one clock for all, which can jump. */
export class World {
	readonly a: Party;

	readonly b: Party;

	private readonly givenUp = new Set<unknown>();

	/** how many of the Backbone's events get lost, from 0 to 1 */
	private lost = 0;

	private offsetMs = 0;

	private port = 0;

	private running: SandboxBackbone | undefined;

	private constructor(
		private readonly folder: string,
		private readonly seed: number,
	) {
		const clock = { now: (): number => this.now() };
		const party = (name: 'a' | 'b'): Party =>
			new Party(
				name,
				() => ({
					backbone: { baseUrl: this.backbone.baseUrl, clientId: 'test', clientSecret: 'test' },
					store: { kind: 'sqlite', folder: join(this.folder, name) },
				}),
				clock,
			);
		this.a = party('a');
		this.b = party('b');
	}

	/** @param seed of the Backbone's delays, repetitions and losses */
	static async open(seed: number): Promise<World> {
		const world = new World(mkdtempSync(join(tmpdir(), 'enmeshed-convergence-')), seed);
		await world.startBackbone();
		await world.a.start();
		await world.b.start();
		return world;
	}

	get backbone(): SandboxBackbone {
		if (this.running === undefined) throw new Error('The Backbone does not run');
		return this.running;
	}

	get parties(): readonly Party[] {
		return [this.a, this.b];
	}

	get clockOffsetMs(): number {
		return this.offsetMs;
	}

	/** The newest one between the two, as the Backbone has it. */
	get relationship(): RelationshipRow | undefined {
		return this.backbone.state.newestBetween(this.a.address, this.b.address);
	}

	peerOf(party: Party): Party {
		return party === this.a ? this.b : this.a;
	}

	now(): number {
		return Date.now() + this.offsetMs;
	}

	inDays(days: number): string {
		return new Date(this.now() + days * 24 * 3_600_000).toISOString();
	}

	jump(durationMs: number): void {
		this.offsetMs += durationMs;
		this.running?.advanceClock(durationMs);
	}

	/** Loses that share of the events from now on, also after the Backbone was started again. */
	loseEvents(share: number): void {
		this.lost = share;
		this.running?.queues.restore();
		if (share > 0) this.running?.queues.drop({ share });
	}

	/** Whether the Backbone has given up an event about the relationship, after three lost runs, or lost it. */
	isGivenUp(relationshipId: string): boolean {
		this.noteGivenUp();
		return this.givenUp.has(relationshipId);
	}

	async stopBackbone(): Promise<void> {
		this.noteGivenUp();
		await this.running?.close();
		this.running = undefined;
	}

	/** Goes on from its state file, where it was. */
	async startBackbone(): Promise<void> {
		this.running ??= await SandboxBackbone.open({
			port: this.port,
			stateFile: join(this.folder, 'backbone.json'),
			clockOffsetMs: this.offsetMs,
			behaviour: 'real',
			seed: this.seed,
		});
		this.loseEvents(this.lost);
		this.port = Number(new URL(this.running.baseUrl).port);
	}

	/** Everybody ends in order and starts again. */
	async restart(): Promise<void> {
		for (const party of this.parties) await party.stop();
		await this.stopBackbone();
		await this.startBackbone();
		for (const party of this.parties) await party.start();
	}

	async close(): Promise<void> {
		for (const party of this.parties) await party.stop();
		await this.stopBackbone();
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** Runs and lost events are not in the state file, so this is noted before each stop. */
	private noteGivenUp(): void {
		if (this.running === undefined) return;
		const { runs, openEvents } = this.running.state;
		for (const { payload } of this.running.queues.dropped) {
			this.givenUp.add(payload['relationshipId']);
		}
		const events = [...[...runs.values()].flatMap((run) => run.events), ...openEvents.values()];
		for (const { syncErrorCount, done, payload } of events.flat()) {
			if (!done && syncErrorCount >= 3) this.givenUp.add(payload['relationshipId']);
		}
	}
}
