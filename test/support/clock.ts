import type { Clock } from '../../core/base/clock';

/** Stands still unless it is moved. */
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
