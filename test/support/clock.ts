import type { Clock } from '../../core/base/clock';
import { usualTimings, type Timings } from '../../core/base/timings';

/** Does not pass unless it is moved. */
export class TestClock implements Clock {
	constructor(private time = Date.parse('2030-01-01T00:00:00.000Z')) {}

	now(): number {
		return this.time;
	}

	/** Backwards with a negative number. */
	advance(durationMs: number): void {
		this.time += durationMs;
	}
}

/**
 * Times for tests in which a call has no effect after its end: a message without an answer is looked for at
 * the Backbone and then sent again at once.
 */
export const promptTimings: Timings = {
	...usualTimings,
	sending: { ...usualTimings.sending, lateArrivalMs: 0 },
};
