import { SingleFlight } from '../../../core/base/single-flight';

const aborted = (): Error => Object.assign(new Error('aborted'), { name: 'AbortError' });

/** An operation that the test ends, and the number of its starts. */
function operation() {
	const attempts: Array<PromiseWithResolvers<string>> = [];
	const work = (): Promise<string> => {
		const attempt = Promise.withResolvers<string>();
		attempts.push(attempt);
		return attempt.promise;
	};
	return { attempts, work };
}

describe('an operation that callers share', () => {
	it('runs once for callers at the same time, and again afterwards', async () => {
		const flight = new SingleFlight<string>();
		const { attempts, work } = operation();
		const both = Promise.all([flight.run(work), flight.run(work)]);
		attempts[0]?.resolve('done');
		expect(await both).toEqual(['done', 'done']);
		expect(attempts).toHaveLength(1);
		const again = flight.run(work);
		attempts[1]?.resolve('done again');
		expect(await again).toBe('done again');
	});

	it('fails for all callers', async () => {
		const flight = new SingleFlight<string>();
		const { attempts, work } = operation();
		const both = Promise.allSettled([flight.run(work), flight.run(work)]);
		const reason = new Error('failed');
		attempts[0]?.reject(reason);
		expect(await both).toEqual([
			{ status: 'rejected', reason },
			{ status: 'rejected', reason },
		]);
	});

	it('is started again by the other callers if its first caller aborts', async () => {
		const flight = new SingleFlight<string>();
		const { attempts, work } = operation();
		const both = Promise.allSettled([flight.run(work), flight.run(work)]);
		attempts[0]?.reject(aborted());
		await new Promise((resolve) => setImmediate(resolve));
		attempts[1]?.resolve('done');
		expect((await both).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
		expect(attempts).toHaveLength(2);
	});

	it('is not started again by a caller that aborts too', async () => {
		const flight = new SingleFlight<string>();
		const { attempts, work } = operation();
		const signal = AbortSignal.abort();
		const both = Promise.allSettled([flight.run(work), flight.run(work, { signal })]);
		attempts[0]?.reject(aborted());
		expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
		expect(attempts).toHaveLength(1);
	});
});

describe('waiting for the end of an operation', () => {
	it('is over at once without one', async () => {
		await expect(new SingleFlight<string>().settled()).resolves.toBeUndefined();
	});

	it('ends with it even if it fails', async () => {
		const flight = new SingleFlight<string>();
		const { attempts, work } = operation();
		const ended: string[] = [];
		const running = flight.run(work).catch(() => ended.push('operation'));
		const waiting = flight.settled().then(() => ended.push('waiting'));
		attempts[0]?.reject(new Error('failed'));
		await Promise.all([running, waiting]);
		expect(ended).toEqual(['operation', 'waiting']);
	});
});
