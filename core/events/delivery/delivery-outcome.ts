import type { ConsumerRecord } from '../../model/record/event';
import type { DeliveryVerdict } from '../event-types';
import { parkAgain, shortReason, withParked, withoutParked } from '../parked-events';

/** Record of a consumer after a delivery that settled its events. */
export function afterDelivery(
	stored: ConsumerRecord,
	verdict: Exclude<DeliveryVerdict, { kind: 'repeat' }>,
	{
		sequences,
		now,
		parkLimit,
	}: {
		readonly sequences: readonly number[];
		readonly now: string;
		readonly parkLimit: number | undefined;
	},
): ConsumerRecord {
	if (verdict.kind === 'accepted') return { ...stored, acceptedAt: now };
	const { reason } = verdict;
	const parked = withParked(stored.parked, sequences, { reason, parkedAt: now }, parkLimit);
	return { ...afterFailure(stored, reason, now), parked };
}

/** Record of a consumer after another attempt at a parked event. */
export function afterParkedDelivery(
	stored: ConsumerRecord,
	verdict: DeliveryVerdict,
	{ sequence, now }: { readonly sequence: number; readonly now: string },
): ConsumerRecord {
	if (verdict.kind === 'accepted') {
		return { ...stored, acceptedAt: now, parked: withoutParked(stored.parked, sequence) };
	}
	const { reason } = verdict;
	const parked = parkAgain(stored.parked, { sequence, reason, parkedAt: now });
	return { ...afterFailure(stored, reason, now), parked };
}

/** Record of a consumer after a delivery that was not accepted. */
export function afterFailure(stored: ConsumerRecord, reason: string, now: string): ConsumerRecord {
	return { ...stored, failure: { at: now, reason: shortReason(reason) } };
}
