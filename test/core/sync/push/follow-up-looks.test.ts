import { FollowUpLooks } from '../../../../core/sync/push/follow-up-looks';

describe('looking again after announcements', () => {
	let looksAt: number[];
	let looks: FollowUpLooks;
	let startedAt: number;

	beforeEach(() => {
		jest.useFakeTimers();
		looksAt = [];
		startedAt = Date.now();
		looks = new FollowUpLooks(() => looksAt.push(Date.now() - startedAt));
	});
	afterEach(() => {
		looks.cancel();
		jest.useRealTimers();
	});

	it('happens one and three seconds after a single one', () => {
		looks.eventSignalled();
		jest.advanceTimersByTime(60_000);
		expect(looksAt).toEqual([1_000, 3_000]);
	});

	it('leaves none without a look of its own, however many there are', () => {
		const announcedAt: number[] = [];
		for (let times = 0; times < 100; times++) {
			looks.eventSignalled();
			announcedAt.push(Date.now() - startedAt);
			jest.advanceTimersByTime(100);
		}
		jest.advanceTimersByTime(60_000);
		const hasLook = (at: number, afterMs: number): boolean =>
			looksAt.some((look) => look >= at + afterMs && look <= at + 2 * afterMs);
		expect(announcedAt.filter((at) => !hasLook(at, 1_000) || !hasLook(at, 3_000))).toEqual([]);
		expect(looksAt.length).toBeLessThan(20);
	});

	it('begins anew after it was cancelled', () => {
		looks.eventSignalled();
		looks.cancel();
		looks.eventSignalled();
		jest.advanceTimersByTime(60_000);
		expect(looksAt).toEqual([1_000, 3_000]);
	});

	it('is cancelled', () => {
		looks.eventSignalled();
		looks.cancel();
		jest.advanceTimersByTime(60_000);
		expect(looksAt).toEqual([]);
	});
});
