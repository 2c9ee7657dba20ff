import { Semaphore } from '../../../core/base/semaphore';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to, and a list of what began. */
function controlledWork(): {
	readonly begun: string[];
	readonly work: (name: string) => () => Promise<string>;
	readonly finish: (name: string) => void;
} {
	const begun: string[] = [];
	const ends = new Map<string, () => void>();
	return {
		begun,
		work: (name) => async () => {
			begun.push(name);
			await new Promise<void>((resolve) => ends.set(name, resolve));
			return name;
		},
		finish: (name) => ends.get(name)?.(),
	};
}

describe('a semaphore', () => {
	it('runs as many at a time as it has permits, in the order of the calls', async () => {
		const semaphore = new Semaphore(2);
		const { begun, work, finish } = controlledWork();
		const all = ['a', 'b', 'c', 'd'].map((name) => semaphore.run(work(name)));
		expect(begun).toEqual(['a', 'b']);

		finish('b');
		await tick();
		expect(begun).toEqual(['a', 'b', 'c']);
		finish('a');
		await tick();
		expect(begun).toEqual(['a', 'b', 'c', 'd']);
		finish('c');
		finish('d');
		await expect(Promise.all(all)).resolves.toEqual(['a', 'b', 'c', 'd']);
	});

	it('gives the permit back when the work fails', async () => {
		const semaphore = new Semaphore();
		await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow(
			'broken',
		);
		await expect(semaphore.run(() => Promise.resolve('next'))).resolves.toBe('next');
	});

	it('lets no caller overtake another that waits', async () => {
		const semaphore = new Semaphore();
		const order: string[] = [];
		await semaphore.acquire();
		const waiting = semaphore.acquire().then(() => order.push('waiting'));
		semaphore.release();
		const late = semaphore.acquire().then(() => order.push('late'));
		await waiting;
		semaphore.release();
		await late;
		expect(order).toEqual(['waiting', 'late']);
	});

	it('rejects an aborted caller with the reason, and passes its turn to the next', async () => {
		const semaphore = new Semaphore();
		const abort = new AbortController();
		const reason = new Error('given up');
		await semaphore.acquire();
		const aborted = semaphore.acquire({ signal: abort.signal });
		const patient = semaphore.acquire();
		abort.abort(reason);
		await expect(aborted).rejects.toBe(reason);

		semaphore.release();
		await expect(patient).resolves.toBeUndefined();
	});

	it('does not take a permit for a caller that had aborted before', async () => {
		const semaphore = new Semaphore();
		const signal = AbortSignal.abort(new Error('too late'));
		await expect(semaphore.acquire({ signal })).rejects.toThrow('too late');
		await expect(semaphore.run(() => Promise.resolve(), { signal })).rejects.toThrow('too late');
		await expect(semaphore.run(() => Promise.resolve('free'))).resolves.toBe('free');
	});
});
