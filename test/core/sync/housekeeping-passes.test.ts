import { keepsAlive, simulation, waits } from './simulated-waits';
import { silentLogger } from '../../../core/base/logger';
import { Housekeeping, type HousekeepingDependencies } from '../../../core/sync/housekeeping';
import { TestClock } from '../../support/clock';

const hourMs = 3_600_000;

let clock: TestClock;
/** Work of the passes, in order. */
let done: string[];
let warnings: number;

beforeEach(() => {
	clock = new TestClock();
	[done, warnings] = [[], 0];
	waits.length = keepsAlive.length = 0;
	simulation.onWait = () => undefined;
});

/** A slice with this number of rounds. */
const slice = (name: string, rounds = 1) => {
	let left = rounds;
	return (): Promise<boolean> => {
		done.push(name);
		return Promise.resolve(--left > 0);
	};
};

const open = (slices: HousekeepingDependencies['slices']): Housekeeping =>
	new Housekeeping({
		...{ clock, slices },
		beginPass: () => true,
		logger: { ...silentLogger, warn: () => void warnings++ },
	});

const pass = async (keeper: Housekeeping): Promise<string[]> => {
	done = [];
	keeper.start();
	await keeper.settled();
	return done;
};

describe('a pass', () => {
	it('repeats the unfinished slices with pauses, and then calls the Backbone', async () => {
		const keeper = open([slice('a', 3), slice('b'), slice('c', 2)]);
		expect(await pass(keeper)).toEqual(['a', 'b', 'c', 'a', 'c', 'a']);
		expect(waits).toEqual([20, 20]);
		expect(keepsAlive).toEqual([false, false]);
		expect(warnings).toBe(0);
	});

	it('lets other work happen between slices', async () => {
		const first = (): Promise<boolean> => {
			setImmediate(() => done.push('other work'));
			return slice('a')();
		};
		expect(await pass(open([first, slice('b')]))).toEqual(['a', 'other work', 'b']);
	});

	it('follows an hour later, also when the clock was set back, and not before', async () => {
		const keeper = open([slice('a')]);
		const passAfter = async (passedMs: number): Promise<number> => {
			clock.advance(passedMs);
			return (await pass(keeper)).length;
		};
		expect(await passAfter(0)).toBe(1);
		expect(await passAfter(hourMs - 1)).toBe(0);
		expect(await passAfter(1)).toBe(1);
		expect(await passAfter(-400 * hourMs)).toBe(1);
	});

	it('is not begun while another one runs', async () => {
		const ended = Promise.withResolvers<boolean>();
		const keeper = open([
			() => {
				done.push('a');
				return ended.promise;
			},
		]);
		keeper.start();
		clock.advance(hourMs);
		keeper.start();
		ended.resolve(false);
		await keeper.settled();
		expect(done).toEqual(['a']);
	});

	it('goes on after a slice that failed, which has its turn in the next pass', async () => {
		let tries = 0;
		const failing = (): Promise<boolean> =>
			++tries === 1 ? Promise.reject(new Error('the store is away')) : slice('a')();
		const keeper = open([failing, slice('b', 2)]);
		expect(await pass(keeper)).toEqual(['b', 'b']);
		expect(warnings).toBe(1);
		clock.advance(hourMs);
		expect(await pass(keeper)).toEqual(['a', 'b']);
		expect(warnings).toBe(1);
	});
});

describe('closing', () => {
	it('waits for the current round, and begins no other', async () => {
		const keeper = open([slice('a', 9), slice('b', 9)]);
		keeper.start();
		await keeper.close();
		expect(done).toEqual(['a', 'b']);
		expect(warnings).toBe(0);
		clock.advance(hourMs);
		expect(await pass(keeper)).toEqual([]);
	});

	it('ends a pause', async () => {
		const keeper = open([slice('a', 9)]);
		simulation.onWait = () => void keeper.close();
		expect(await pass(keeper)).toEqual(['a']);
		expect(waits).toEqual([20]);
		expect(warnings).toBe(0);
	});
});
