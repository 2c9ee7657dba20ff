import { clocksAgree, type Clock } from '../base/clock';
import type { Backbone } from '../backbone/port/backbone';
import type { Needs } from '../domain/needs';

export interface RetentionClockDependencies extends Needs<'clock' | 'logger'> {
	readonly backbone: Pick<Backbone, 'clockSkewMs'>;
}

/**
 * Clock of everything that is kept for a limited time. Its time is constant during a pass of
 * housekeeping, and a pass begins only while the local clock and the Backbone's agree, so that a
 * clock that jumps removes nothing (docs/adr/0006).
 */
export class RetentionClock implements Clock {
	private passAt = Number.NEGATIVE_INFINITY;

	constructor(private readonly dependencies: RetentionClockDependencies) {}

	/**
	 * Sets the time of the next pass; false when the time is uncertain, and nothing may be removed.
	 */
	beginPass(): boolean {
		const { clock, backbone, logger } = this.dependencies;
		const skewMs = backbone.clockSkewMs;
		if (skewMs === undefined || !clocksAgree(skewMs)) {
			logger.warn('old rows are kept while the local clock and the Backbone do not agree', {
				clockSkewMs: skewMs,
			});
			return false;
		}
		this.passAt = clock.now();
		return true;
	}

	now(): number {
		return this.passAt;
	}
}
