import type { GatewayError } from '../../base/errors';
import type { Clock } from '../../base/clock';
import type { PushSignal } from '../../backbone/port/backbone';
import type { PushStatusDto } from '../../model/record/sync';
import { describePush, type PushState } from './push-status';

/** Lifetime that every idle connection reaches unless a proxy on the way to the service ends it. */
const keepAliveMs = 240_000;
/** Lifetime below which a connection was refused: no proxy times out this early. */
const shortestCutMs = 10_000;

/** State of this process's push connection. */
export class PushConnection {
	private state: PushState = { kind: 'off' };

	private cuts = 0;

	lastEventAt: number | undefined;

	constructor(private readonly clock: Clock) {}

	get connectedSince(): number | undefined {
		return this.state.kind === 'connected' ? this.state.since : undefined;
	}

	get status(): PushStatusDto {
		return describePush(this.state, this.lastEventAt, this.cuts);
	}

	enter(kind: 'off' | 'elsewhere' | 'connecting'): void {
		if (this.state.kind === kind) return;
		this.state = kind === 'connecting' ? { kind, since: this.clock.now() } : { kind };
	}

	/** Notes a failure. The time of the first failure stays until the connection works again. */
	failed(error: GatewayError): void {
		this.countCut();
		const since = this.state.kind === 'unavailable' ? this.state.since : this.clock.now();
		this.state = { kind: 'unavailable', since, error };
	}

	/** Updates the state by a signal; returns true if the signal announces a new external event. */
	heard(signal: PushSignal): boolean {
		if (signal.kind === 'lost') this.failed(signal.error);
		if (signal.kind === 'opened') this.state = { kind: 'connected', since: this.clock.now() };
		if (signal.kind !== 'event' || !isNews(signal.name)) return false;
		this.lastEventAt = this.clock.now();
		return true;
	}

	private countCut(): void {
		const now = this.clock.now();
		const lastedMs = now - (this.connectedSince ?? now);
		if (lastedMs >= keepAliveMs) this.cuts = 0;
		else if (lastedMs >= shortestCutMs) this.cuts++;
	}
}

/**
 * Selects signals of new events; the others are intended for display on phones
 * (docs/protocol/backbone-api.md 19.1).
 */
function isNews(name: string): boolean {
	return (
		name === 'ExternalEventCreated' ||
		/^Deletion(ProcessStarted|ProcessCancelledByOwner)$/.test(name)
	);
}
