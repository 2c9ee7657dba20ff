import type { GatewayError } from '../../base/errors';
import type { Clock } from '../../base/clock';
import type { PushSignal } from '../../backbone/push-signal';
import type { PushStatusDto } from '../../model/record/sync';
import { describePush, type PushState } from './push-status';

/** What an idle connection survives unless something between here and the service ends it. */
const keepAliveMs = 240_000;
/** A connection that ends sooner was refused: no proxy waits that short. */
const shortestCutMs = 10_000;

/** What is known of the push connection of this process. */
export class PushConnection {
	private state: PushState = { kind: 'off' };

	private cuts = 0;

	lastAnnouncedAt: number | undefined;

	constructor(private readonly clock: Clock) {}

	get connectedSince(): number | undefined {
		return this.state.kind === 'connected' ? this.state.since : undefined;
	}

	get status(): PushStatusDto {
		return describePush(this.state, this.lastAnnouncedAt, this.cuts);
	}

	enter(kind: 'off' | 'elsewhere' | 'connecting'): void {
		if (this.state.kind === kind) return;
		this.state = kind === 'connecting' ? { kind, since: this.clock.now() } : { kind };
	}

	/** The time of the first failure stays until the connection works again. */
	failed(error: GatewayError): void {
		this.countCut();
		const since = this.state.kind === 'unavailable' ? this.state.since : this.clock.now();
		this.state = { kind: 'unavailable', since, error };
	}

	/** Whether this is an announcement of something new. */
	heard(signal: PushSignal): boolean {
		if (signal.kind === 'lost') this.failed(signal.error);
		if (signal.kind === 'opened') this.state = { kind: 'connected', since: this.clock.now() };
		if (signal.kind !== 'event' || !isNews(signal.name)) return false;
		this.lastAnnouncedAt = this.clock.now();
		return true;
	}

	private countCut(): void {
		if (this.connectedSince === undefined) return;
		const lastedMs = this.clock.now() - this.connectedSince;
		if (lastedMs >= keepAliveMs) this.cuts = 0;
		else if (lastedMs >= shortestCutMs) this.cuts++;
	}
}

/** The others are for the screens of phones (docs/protocol/backbone-api.md 19.1). */
function isNews(name: string): boolean {
	return (
		name === 'ExternalEventCreated' ||
		/^Deletion(ProcessStarted|ProcessCancelledByOwner)$/.test(name)
	);
}
