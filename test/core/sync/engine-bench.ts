import { workRecord } from '../../support/records';
import { DatabaseSync } from 'node:sqlite';
import { silentLogger } from '../../../core/base/logger';
import { systemRandom } from '../../../core/base/random';
import type { SyncState } from '../../../core/model/record/sync';
import { SyncEngine, type SyncEngineDependencies } from '../../../core/sync/sync-engine';
import type { Store } from '../../../core/store/store';
import { TestClock } from '../../support/clock';
import { openMemoryStore } from '../../support/store';
import { FixtureServer, problem, result, type Responder } from '../backbone/fixture-server';

export const dayMs = 24 * 3_600_000;
export const leaseMs = 30_000;

/** Report of a sync that found nothing. */
export const nothing = { touched: [], failures: [] };

export const noEvents = result({ status: 'NoNewEvents', syncRun: null });
export const created = result({ status: 'Created', syncRun: { id: 'SYR1' } }, 201);
export const anotherRunIsOpen = problem(
	400,
	'error.platform.validation.syncRun.cannotStartSyncRunWhenAnotherSyncRunIsRunning',
);

/** The engine of one account, and a Backbone whose answers about sync runs the test decides. */
export class EngineBench {
	/** work of the engine besides its calls about sync runs, in order */
	done: string[] = [];

	readonly warnings: string[] = [];

	isFollowed = true;

	/** answer to a request for a sync run */
	start: Responder = noEvents;

	/** external events of the run */
	events: object[] = [];

	/** answer to a request for the events, instead of `events` */
	eventsAnswer: Responder | undefined;

	/** dependencies that replace the usual ones */
	more: Partial<SyncEngineDependencies> = {};

	readonly clock = new TestClock();

	private readonly database = new DatabaseSync(':memory:');

	store!: Store;

	server!: FixtureServer;

	engine!: SyncEngine;

	static async open(): Promise<EngineBench> {
		const bench = new EngineBench();
		bench.store = await openMemoryStore(bench.clock, bench.database);
		bench.server = await FixtureServer.open({
			'POST /api/v2/SyncRuns': (request, response) => bench.start(request, response),
			'GET /api/v2/SyncRuns/SYR1/ExternalEvents': (request, response) =>
				(bench.eventsAnswer ?? result(bench.events))(request, response),
			'PUT /api/v2/SyncRuns/SYR1/FinalizeExternalEventSync': (request, response) => {
				bench.start = noEvents;
				result({ newUnsyncedExternalEventsExist: false })(request, response);
			},
		});
		bench.engine = bench.newEngine();
		return bench;
	}

	/** The engine of a process with nothing in its memory. */
	newEngine(store = this.store): SyncEngine {
		const step = (name: string) => (): Promise<never[]> => {
			this.done.push(name);
			return Promise.resolve([]);
		};
		const warn = (text: string): void => void this.warnings.push(text);
		return new SyncEngine({
			...{ store, backbone: this.server.connect(), clock: this.clock, random: systemRandom },
			...{ logger: { ...silentLogger, warn }, leaseMs },
			services: this.more.services ?? ({} as SyncEngineDependencies['services']),
			push: { eventsFound: (createdAt) => void this.done.push(`found ${createdAt.length}`) },
			lookAtStore: async () => void (await step('look')()),
			settle: (options) => this.more.settle?.(options) ?? step('settle')(),
			reconcile: (options) => this.more.reconcile?.(options) ?? step('reconcile')(),
			followUp: async (options) => {
				await (this.more.followUp?.(options) ?? step('followUp')());
			},
			demand: this,
			observe: (sync) => sync(),
			afterSync: () => this.done.push('after'),
		});
	}

	/** Lets the next run of the Backbone contain events of these types. */
	brings(...types: readonly unknown[]): void {
		this.start = created;
		this.events = types.map((type, index) => this.eventOf(type, index));
	}

	eventOf(type: unknown, index: number): object {
		const createdAt = new Date(this.clock.now() - 1_000).toISOString();
		return { id: `SYI${index}`, type, index, payload: {}, createdAt };
	}

	run(skipIfBusy = true): ReturnType<SyncEngine['run']> {
		return this.engine.run({ skipIfBusy });
	}

	/** Syncs once more, and returns what the engine did. */
	async doneByRun(): Promise<string[]> {
		this.done = [];
		await this.run();
		return this.done;
	}

	/** Number of requests for a sync run. */
	get asked(): number {
		return this.server.calls('/api/v2/SyncRuns').length;
	}

	async stored(): Promise<SyncState | undefined> {
		return (await this.store.read((tx) => tx.syncState.get('sync')))?.record;
	}

	/** Stores the state of an account whose next comparison is due in a day. */
	async write(parts: Partial<SyncState> = {}): Promise<void> {
		const idle = { id: 'sync', phase: 'idle', reconciliationNeeded: false } as const;
		const reconciliation = { dueAt: new Date(this.clock.now() + dayMs).toISOString() };
		await this.store.transact(async (tx) => {
			await tx.syncState.delete('sync');
			await tx.syncState.insert({ ...idle, reconciliation, ...parts }, undefined);
		});
	}

	async leases(): Promise<string[]> {
		return (await this.store.read((tx) => tx.leases.list())).map(({ name, holder }) =>
			holder === 'other' ? `${name} of another` : name.replace(/:.*/, ''),
		);
	}

	/** Leaves an action of this account without its end. */
	async interruptAction(): Promise<void> {
		await this.store.transact((tx) => tx.work.insert(workRecord('FIL1', 'deleteFile'), undefined));
	}

	async completeAction(): Promise<void> {
		await this.store.transact((tx) => tx.work.delete('FIL1'));
	}

	/** Takes a lease for another process. */
	take(name: string, ms = leaseMs): Promise<boolean> {
		return this.store.transact((tx) => tx.leases.take(name, 'other', ms));
	}

	drop(name: string): Promise<void> {
		return this.store.transact((tx) => tx.leases.drop(name, 'other'));
	}

	/** Lets the database refuse every change, or accept changes again. */
	refuseWrites(refuses: boolean): void {
		this.database.exec(`pragma query_only = ${refuses ? 'on' : 'off'}`);
	}

	async close(): Promise<void> {
		await this.engine.close();
		await this.store.close();
		await this.server.close();
	}
}
