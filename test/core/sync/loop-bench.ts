import { keepsAlive, waits } from './counted-waits';
import { silentLogger } from '../../../core/base/logger';
import { systemRandom, type Random } from '../../../core/base/random';
import { PushFollower } from '../../../core/sync/push/push-follower';
import { SyncDemand } from '../../../core/sync/sync-demand';
import { SyncLoop, type SyncLoopDependencies } from '../../../core/sync/sync-loop';
import type { GatewayProblem } from '../../../core';
import type { Store } from '../../../core/store/store';
import { empty, FixtureServer, type Responder } from '../backbone/fixture-server';
import { TestClock } from '../../support/clock';
import { openMemoryStore } from '../../support/store';

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

type Steps = Pick<SyncLoopDependencies, 'sync' | 'maintain' | 'nextDueAt' | 'endAsking'>;

/** Always the longest jitter. */
const random: Random = {
	bytes: (count) => Buffer.alloc(count, 255),
	text: (length, alphabet) => systemRandom.text(length, alphabet),
};

/** A loop whose steps the test decides. Import `counted-waits` before this module. */
export class LoopBench {
	/** steps of the loop, in order */
	done: string[] = [];

	readonly problems: Array<GatewayProblem | undefined> = [];

	/** steps that replace the usual ones */
	more: Partial<Writable<Steps>> = {};

	readonly demand = new SyncDemand();

	readonly push: PushFollower;

	readonly loop: SyncLoop;

	private constructor(
		readonly clock: TestClock,
		readonly store: Store,
		readonly server: FixtureServer,
		/** answer to a request for the push connection */
		readonly answers: { push: Responder },
	) {
		const step =
			<Result>(name: string, result: Result) =>
			(): Promise<Result> => {
				this.done.push(name);
				return Promise.resolve(result);
			};
		const steps: Steps = {
			sync: step('sync', true),
			maintain: step('maintain', undefined),
			nextDueAt: step('next', undefined),
			endAsking: step('end', undefined),
		};
		const { demand } = this;
		const shared = { clock, random, logger: silentLogger };
		this.push = new PushFollower({
			...{ ...shared, store, backbone: server.connect(), wake: () => demand.request() },
		});
		this.loop = new SyncLoop({
			...{ ...shared, demand, push: this.push },
			sync: (options) => (this.more.sync ?? steps.sync)(options),
			maintain: (options) => (this.more.maintain ?? steps.maintain)(options),
			nextDueAt: (options) => (this.more.nextDueAt ?? steps.nextDueAt)(options),
			endAsking: () => (this.more.endAsking ?? steps.endAsking)(),
		});
	}

	static async open(): Promise<LoopBench> {
		waits.length = keepsAlive.length = 0;
		const clock = new TestClock();
		const answers = { push: empty(403) };
		const server = await FixtureServer.open({
			'GET /api/v1/sse': (request, response) => answers.push(request, response),
		});
		return new LoopBench(clock, await openMemoryStore(clock), server, answers);
	}

	subscribe(intervalMs = 60_000, push = false): ReturnType<SyncLoop['subscribe']> {
		const onProblem = (problem: GatewayProblem | undefined) => this.problems.push(problem);
		return this.loop.subscribe({ intervalMs, push, onProblem });
	}

	/** Number of syncs so far, as long as the test does not replace them. */
	get syncs(): number {
		return this.done.filter((step) => step === 'sync').length;
	}

	async close(): Promise<void> {
		await this.loop.close();
		await this.store.close();
		await this.server.close();
	}
}
