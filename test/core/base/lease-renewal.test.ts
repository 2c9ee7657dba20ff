import { startLeaseRenewal } from '../../../core/base/lease/lease-renewal';

describe('the renewal of a lease', () => {
	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	const unexpected = (error: unknown): void => {
		throw error as Error;
	};

	it('prolongs it three times within its duration until it is stopped', async () => {
		let renewed = 0;
		const renew = () => Promise.resolve(++renewed > 0);
		const stop = startLeaseRenewal({ leaseMs: 60_000, renew, onFailure: unexpected });
		await jest.advanceTimersByTimeAsync(19_999);
		expect(renewed).toBe(0);
		await jest.advanceTimersByTimeAsync(1);
		expect(renewed).toBe(1);
		await jest.advanceTimersByTimeAsync(40_000);
		expect(renewed).toBe(3);

		stop();
		await jest.advanceTimersByTimeAsync(60_000);
		expect(renewed).toBe(3);
	});

	it('tells that another process has taken it over', async () => {
		const onLost = jest.fn();
		const renew = () => Promise.resolve(false);
		const stop = startLeaseRenewal({ leaseMs: 30_000, renew, onLost, onFailure: unexpected });
		await jest.advanceTimersByTimeAsync(10_000);
		expect(onLost).toHaveBeenCalledTimes(1);
		stop();
	});

	it('goes on after a failure of the store, and loses nothing', async () => {
		const failures: unknown[] = [];
		const onLost = jest.fn();
		let isAway = true;
		let renewed = 0;
		const renew = async (): Promise<boolean> => {
			if (isAway) throw new Error('the store is away');
			renewed++;
			return await Promise.resolve(true);
		};
		const onFailure = (error: unknown) => failures.push(error);
		const stop = startLeaseRenewal({ leaseMs: 30_000, renew, onLost, onFailure });
		await jest.advanceTimersByTimeAsync(10_000);
		isAway = false;
		await jest.advanceTimersByTimeAsync(10_000);
		stop();
		expect(failures).toEqual([new Error('the store is away')]);
		expect(renewed).toBe(1);
		expect(onLost).not.toHaveBeenCalled();
	});
});
