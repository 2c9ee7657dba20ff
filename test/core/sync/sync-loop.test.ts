import { waits } from './counted-waits';
import { silentLogger } from '../../../core/base/logger';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { backboneErrors } from '../../../core/backbone/backbone-errors';
import { SyncDemand } from '../../../core/sync/sync-demand';
import { SyncLoop } from '../../../core/sync/sync-loop';
import type { GatewayProblem } from '../../../core';
import { storeErrors } from '../../../core/store/store-errors';
import { TestClock } from '../../support/clock';
import { until } from '../../support/until';

beforeEach(() => {
	waits.length = 0;
});

describe('a sync loop whose store is away', () => {
	it('tries again every few seconds, however long that takes', async () => {
		const away = storeErrors.create('postgresUnreachable', { message: 'Away.' });
		const problems: Array<GatewayProblem | undefined> = [];
		const demand = new SyncDemand();
		const loop = new SyncLoop({
			clock: systemClock,
			demand,
			push: { follow: () => Promise.resolve() },
			random: systemRandom,
			logger: silentLogger,
			sync: () => Promise.reject(away),
			nextDueAt: () => Promise.resolve(undefined),
			endAsking: () => Promise.resolve(),
			maintain: () => Promise.resolve(),
		});
		try {
			loop.subscribe({ intervalMs: 1_000, push: false, onProblem: (one) => problems.push(one) });
			for (let tries = 1; tries <= 12; tries++) {
				await until(() => waits.length === tries);
				if (tries < 12) demand.request();
			}
			expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
			expect(problems).toEqual([{ code: away.code, message: away.message, remedy: away.remedy }]);
		} finally {
			await loop.close();
		}
	});
});

describe('a sync loop whose identity was deleted', () => {
	it('reports it, and waits until a caller asks', async () => {
		const deleted = backboneErrors.create('identityDeleted', { message: 'Deleted.' });
		const problems: Array<GatewayProblem | undefined> = [];
		let syncs = 0;
		const demand = new SyncDemand();
		const loop = new SyncLoop({
			clock: systemClock,
			demand,
			push: { follow: () => Promise.resolve() },
			random: systemRandom,
			logger: silentLogger,
			sync: () => {
				syncs++;
				return Promise.reject(deleted);
			},
			nextDueAt: () => Promise.resolve(undefined),
			endAsking: () => Promise.resolve(),
			maintain: () => Promise.resolve(),
		});
		try {
			loop.subscribe({ intervalMs: 1_000, push: false, onProblem: (one) => problems.push(one) });
			const longestWaitMs = 2 ** 31 - 1;
			await until(() => waits.length === 1);
			expect([syncs, waits]).toEqual([1, [longestWaitMs]]);
			expect(problems).toEqual([
				{ code: deleted.code, message: deleted.message, remedy: deleted.remedy },
			]);
			demand.request();
			await until(() => waits.length === 2);
			expect([syncs, waits]).toEqual([2, [longestWaitMs, longestWaitMs]]);
			expect(problems).toHaveLength(1);
		} finally {
			await loop.close();
		}
	});
});

describe('a sync loop with a planned retry', () => {
	it('syncs when it is due, and not more often than four times a second', async () => {
		const clock = new TestClock();
		const dueInMs = [0, 1_000, 3_600_000, undefined];
		let syncs = 0;
		const demand = new SyncDemand();
		const loop = new SyncLoop({
			clock,
			demand,
			push: { follow: () => Promise.resolve() },
			random: systemRandom,
			logger: silentLogger,
			sync: () => {
				syncs++;
				return Promise.resolve(true);
			},
			nextDueAt: () => {
				const nextMs = dueInMs[syncs - 1];
				return Promise.resolve(nextMs === undefined ? undefined : clock.now() + nextMs);
			},
			endAsking: () => Promise.resolve(),
			maintain: () => Promise.resolve(),
		});
		try {
			loop.subscribe({ intervalMs: 60_000, push: false, onProblem: () => undefined });
			for (let tries = 1; tries <= dueInMs.length; tries++) {
				await until(() => waits.length === tries);
				if (tries < dueInMs.length) demand.request();
			}
			expect(waits).toEqual([250, 1_000, 60_000, 60_000]);
		} finally {
			await loop.close();
		}
	});
});
