import { waitOrAbort } from '../../base/abort';
import { systemClock } from '../../base/clock';
import type { GatewayFacade } from '../../facade/gateway-facade';
import type { ConsumerStatusDto, SyncStatusDto } from '../../model/record/sync';
import type { accountGauges } from './series';

/**
 * Limit for reading the figures of one account: the store of one account must not keep the figures
 * of the others from being read.
 */
const readMs = 2_000;

const maxLabelLength = 100;

/** Figures of one account that its store knows. */
export class AccountReading {
	/** read that has not ended, perhaps because the store does not answer */
	private reading: Promise<SyncStatusDto> | undefined;

	constructor(
		readonly account: string,
		private readonly facade: Pick<GatewayFacade, 'account'>,
	) {}

	/** Reads the figures; undefined if the store does not answer. Never fails. */
	async read(): Promise<SyncStatusDto | undefined> {
		// A store that still owes an answer is not asked again.
		if (this.reading !== undefined) return undefined;
		const signal = AbortSignal.timeout(readMs);
		const reading = this.facade.account.getSyncStatus({ signal });
		this.reading = reading;
		const end = (): void => {
			this.reading = undefined;
		};
		reading.then(end, end);
		try {
			return await waitOrAbort(reading, { signal });
		} catch {
			return undefined;
		}
	}
}

/** Sets the gauges of an account; `status` is undefined if its store does not answer. */
export function showAccount(
	gauges: ReturnType<typeof accountGauges>,
	account: string,
	status: SyncStatusDto | undefined,
): void {
	gauges.up.set({ account }, status === undefined ? 0 : 1);
	if (status === undefined) return;
	for (const consumer of status.consumers) {
		if (consumer.isRunning) showConsumer(gauges, account, consumer);
	}
	gauges.externalPending.set({ account }, status.pendingEvents);
	gauges.externalParked.set({ account }, status.parkedEvents.length);
	gauges.sends.set({ account }, status.unresolvedSends);
	for (const [kind, count] of Object.entries(status.problemCounts)) {
		gauges.problems.set({ account, kind }, count);
	}
	const { state } = status.push;
	if (state !== 'off' && state !== 'elsewhere') {
		gauges.pushConnected.set({ account }, state === 'connected' ? 1 : 0);
	}
	const completedAt = status.lastSyncRun?.completedAt;
	if (completedAt !== undefined) {
		gauges.lastSync.set({ account }, Date.parse(completedAt) / 1_000);
	}
	gauges.syncPaused.set({ account }, status.paused === undefined ? 0 : 1);
}

function showConsumer(
	gauges: ReturnType<typeof accountGauges>,
	account: string,
	{ name, waitingEvents, waitingSince, parkedEvents }: ConsumerStatusDto,
): void {
	const labels = { account, consumer: name.slice(0, maxLabelLength) };
	const ageMs = waitingSince === undefined ? 0 : systemClock.now() - Date.parse(waitingSince);
	gauges.waiting.set(labels, waitingEvents);
	gauges.waitingAge.set(labels, Math.max(0, ageMs / 1_000));
	gauges.deliveriesParked.set(labels, parkedEvents);
}
