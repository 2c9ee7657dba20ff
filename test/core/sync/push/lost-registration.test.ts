import { LostRegistration } from '../../../../core/sync/push/lost-registration';

describe('an event that a sync has found', () => {
	const start = Date.parse('2030-01-01T00:00:00.000Z');
	const announcing: { connectedSince: number | undefined; lastEventAt: number | undefined } = {
		connectedSince: undefined,
		lastEventAt: undefined,
	};
	let renewals: number[];
	let registration: LostRegistration;

	beforeEach(() => {
		jest.useFakeTimers({ now: start });
		Object.assign(announcing, { connectedSince: start - 60_000, lastEventAt: undefined });
		renewals = [];
		const clock = { now: () => Date.now() };
		registration = new LostRegistration(
			clock,
			() => announcing,
			() => renewals.push(Date.now() - start),
		);
	});
	afterEach(() => {
		registration.cancel();
		jest.useRealTimers();
	});

	const foundUnannounced = (): void => {
		registration.found([Date.now()]);
		jest.advanceTimersByTime(10_000);
	};

	it('has the connection renewed when nothing announced it within ten seconds', () => {
		registration.found([start - 5_000]);
		jest.advanceTimersByTime(9_999);
		expect(renewals).toEqual([]);
		jest.advanceTimersByTime(1);
		expect(renewals).toEqual([10_000]);
	});

	it.each([
		['as old as the connection by the clock of the Backbone', -58_000, undefined, 0],
		['a little younger than the connection', -57_999, undefined, 1],
		['announced two seconds before it', 0, -2_000, 0],
		['announced more than two seconds before it', 0, -2_001, 1],
	])('that is %s has the connection renewed: %i, %s: %i times', (_when, at, lastEvent, times) => {
		announcing.lastEventAt = lastEvent === undefined ? undefined : start + lastEvent;
		registration.found([start + at]);
		jest.advanceTimersByTime(20_000);
		expect(renewals).toHaveLength(times);
	});

	it('has the connection renewed once, ten seconds after the first of several', () => {
		registration.found([start]);
		jest.advanceTimersByTime(6_000);
		registration.found([start + 6_000]);
		jest.advanceTimersByTime(20_000);
		expect(renewals).toEqual([10_000]);
	});

	it('is forgotten when the connection ends', () => {
		registration.found([start]);
		registration.found([start + 1_000]);
		registration.cancel();
		jest.advanceTimersByTime(20_000);
		expect(renewals).toEqual([]);
	});

	it('has ten seconds of its own after an announced end', () => {
		announcing.lastEventAt = start - 5_000;
		registration.found([start - 5_000]);
		jest.advanceTimersByTime(9_000);
		registration.found([start + 9_000]);
		jest.advanceTimersByTime(5_000);
		announcing.lastEventAt = start + 14_000;
		jest.advanceTimersByTime(20_000);
		expect(renewals).toEqual([]);
	});

	it.each([
		[59_999, 1],
		[60_000, 2],
	])('has the connection renewed again %i ms later: %i times', (passedMs, times) => {
		foundUnannounced();
		jest.advanceTimersByTime(passedMs - 10_000);
		foundUnannounced();
		expect(renewals).toHaveLength(times);
	});

	it('is a sign of life when it was announced before or is so soon afterwards', () => {
		announcing.lastEventAt = start - 5_000;
		registration.found([start - 5_000]);
		jest.advanceTimersByTime(20_000);
		registration.found([start + 15_000]);
		announcing.lastEventAt = start + 25_000;
		jest.advanceTimersByTime(20_000);
		expect(renewals).toEqual([]);
	});

	it('says nothing when it is older than the connection, or there is none', () => {
		registration.found([start - 120_000]);
		announcing.connectedSince = undefined;
		registration.found([start]);
		jest.advanceTimersByTime(20_000);
		expect(renewals).toEqual([]);
	});

	it('has the connection renewed less and less often while that does not help', () => {
		for (let minute = 0; minute < 24 * 60; minute++) {
			foundUnannounced();
			jest.advanceTimersByTime(50_000);
		}
		expect(renewals.length).toBeGreaterThan(20);
		expect(renewals.length).toBeLessThan(32);
	});

	it('has it renewed every minute while each renewal brings a signal', () => {
		foundUnannounced();
		for (let renewal = 2; renewal <= 4; renewal++) {
			announcing.lastEventAt = Date.now();
			jest.advanceTimersByTime(50_000);
			foundUnannounced();
			expect(renewals).toHaveLength(renewal);
		}
	});

	it('has it renewed soon again after an announcement has come', () => {
		for (let minute = 0; minute < 60; minute++) {
			foundUnannounced();
			jest.advanceTimersByTime(50_000);
		}
		announcing.lastEventAt = Date.now();
		jest.advanceTimersByTime(3_600_000);
		const before = renewals.length;
		foundUnannounced();
		jest.advanceTimersByTime(60_000);
		foundUnannounced();
		expect(renewals.length).toBe(before + 2);
	});
});
