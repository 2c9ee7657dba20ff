import { waits } from './counted-waits';
import type { GatewayError } from '../../../core/base/errors';
import { backboneErrors } from '../../../core/backbone/backbone-errors';
import { identityErrors } from '../../../core/domain/identity/identity-errors';
import { storeErrors } from '../../../core/store/store-errors';
import { until } from '../../support/until';
import { LoopBench } from './loop-bench';

let bench: LoopBench;
beforeEach(async () => {
	bench = await LoopBench.open();
});
afterEach(() => bench.close());

const error = (kind: GatewayError['kind']): GatewayError => {
	const name = kind === 'unavailable' ? 'pushSilent' : 'forbidden';
	const created = backboneErrors.create(name, { message: `It is ${kind}.` });
	expect(created.kind).toBe(kind);
	return created;
};

const shown = ({ code, message, remedy }: GatewayError) => ({ code, message, remedy });

describe('a sync loop that fails', () => {
	it('tries again later and later, and tells a person after the fifth time', async () => {
		const away = error('unavailable');
		bench.more.sync = () => Promise.reject(away);
		bench.subscribe();
		for (let tries = 1; tries <= 5; tries++) {
			await until(() => waits.length === tries);
			expect(bench.problems).toEqual(tries < 5 ? [] : [shown(away)]);
			if (tries < 5) bench.demand.request();
		}
		expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
		for (let tries = 6; tries <= 10; tries++) {
			bench.demand.request();
			await until(() => waits.length === tries);
		}
		expect(Math.max(...waits)).toBe(300_000);
		expect(bench.problems).toHaveLength(1);
		expect(bench.loop.lastFailure).toEqual({
			...{ code: away.code, message: away.message },
			at: new Date(bench.clock.now()).toISOString(),
		});
	});

	it('tells each new subscriber, and everyone when the problem ends', async () => {
		const refused = error('forbidden');
		bench.more.sync = () => Promise.reject(refused);
		bench.subscribe();
		await until(() => waits.length === 1);
		expect(bench.problems).toEqual([shown(refused)]);
		bench.subscribe();
		expect(bench.problems).toEqual([shown(refused), shown(refused)]);
		// A new subscriber is a reason to try again.
		await until(() => waits.length === 2);
		expect(waits).toEqual([2_000, 4_000]);
		delete bench.more.sync;
		bench.demand.request();
		await until(() => waits.length === 3);
		expect(bench.problems.slice(2)).toStrictEqual([undefined, undefined]);
		expect(bench.loop.lastFailure).toBeUndefined();
	});

	it('counts from the beginning after a success', async () => {
		const away = error('unavailable');
		let syncs = 0;
		bench.more.sync = () => (++syncs === 2 ? Promise.resolve(true) : Promise.reject(away));
		bench.subscribe();
		for (let tries = 1; tries <= 3; tries++) {
			await until(() => waits.length === tries);
			if (tries < 3) bench.demand.request();
		}
		expect(waits).toEqual([2_000, 60_000, 2_000]);
	});

	it('because of a defect shows that, and tells no person', async () => {
		const defect = Object.assign(new TypeError('A defect'), { code: 'ERR_DEFECT' });
		bench.more.sync = () => Promise.reject(defect);
		bench.subscribe();
		await until(() => waits.length === 1);
		expect(bench.loop.lastFailure).toMatchObject({
			code: 'error.transport.unknown',
			message: 'An unexpected failure; see the log.',
		});
		expect(bench.problems).toEqual([]);
	});

	it('because other work was aborted tries again', async () => {
		bench.more.sync = () => Promise.reject(new DOMException('Aborted', 'AbortError'));
		bench.subscribe();
		await until(() => waits.length === 1);
		expect(waits).toEqual([2_000]);
	});

	it.each([
		['postgresUnreachable', 5_000],
		['postgresNoDatabase', 300_000],
	] as const)('because of the store (%s) waits at most %i ms', async (name, longestMs) => {
		bench.more.sync = () => Promise.reject(storeErrors.create(name, { message: 'Away.' }));
		bench.subscribe();
		for (let tries = 1; tries <= 10; tries++) {
			await until(() => waits.length === tries);
			bench.demand.request();
		}
		expect(Math.max(...waits)).toBe(longestMs);
	});

	it('in what is due after a sync fails as a whole', async () => {
		const away = error('unavailable');
		bench.more.maintain = () => Promise.reject(away);
		bench.subscribe();
		await until(() => waits.length === 1);
		expect(waits).toEqual([2_000]);
		expect(bench.loop.lastFailure?.code).toBe(away.code);
	});

	it.each([
		['the reason', (signal: AbortSignal) => signal.reason as Error],
		['another failure', () => error('unavailable')],
	])('because it ends has no failure, even with %s', async (_what, failure) => {
		bench.more.sync = ({ signal }) =>
			new Promise((_resolve, reject) => {
				bench.done.push('sync');
				signal.addEventListener('abort', () => reject(failure(signal)));
			});
		const { release } = bench.subscribe();
		await until(() => bench.syncs === 1);
		await release();
		expect(bench.loop.lastFailure).toBeUndefined();
		expect(bench.problems).toEqual([]);
		expect(waits).toEqual([]);
	});
});

describe('a sync loop whose identity is to be deleted', () => {
	const paused = identityErrors.create('toBeDeleted', { message: 'To be deleted.' });

	it('is paused, which it reports once, and is not a failure', async () => {
		const away = error('unavailable');
		bench.more.sync = () => Promise.reject(waits.length === 0 ? away : paused);
		bench.subscribe();
		await until(() => waits.length === 1);
		expect(bench.loop.lastFailure).toBeDefined();
		for (let tries = 2; tries <= 3; tries++) {
			bench.demand.request();
			await until(() => waits.length === tries);
			expect(bench.loop.lastFailure).toBeUndefined();
			expect(bench.problems).toEqual([{ ...shown(paused), isState: true }]);
		}
		delete bench.more.sync;
		bench.demand.request();
		await until(() => waits.length === 4);
		expect(bench.problems.slice(1)).toStrictEqual([undefined]);
	});

	it('has a failure while the Backbone refuses although the deletion was cancelled', async () => {
		const refused = identityErrors.create('stillRefused', { message: 'Still refused.' });
		bench.more.sync = () => Promise.reject(refused);
		bench.subscribe();
		await until(() => waits.length === 1);
		expect(bench.loop.lastFailure?.code).toBe(refused.code);
		expect(bench.problems).toEqual([]);
	});
});
