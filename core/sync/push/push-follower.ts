import { longestTimerMs, sleep } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isGatewayError, type GatewayError } from '../../base/errors';
import { newLeaseHolder } from '../../base/lease/lease-holder';
import { startLeaseRenewal } from '../../base/lease/lease-renewal';
import { backboneErrors } from '../../backbone/backbone-errors';
import type { PushSignal } from '../../backbone/port/backbone';
import type { PushStatusDto } from '../../model/record/sync';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { FollowUpLooks } from './follow-up-looks';
import { LostRegistration } from './lost-registration';
import { PushConnection } from './push-connection';
import { describePush } from './push-status';
import type { Needs } from '../../domain/needs';

const leaseName = 'push';
const leaseMs = 60_000;
/** time for the push service to notice the end of a connection before the next one registers */
const renewalPauseMs = 1_000;
/**
 * pause after a refusal: each repetition uses up one of three attempts before the Backbone locks a
 * login
 */
const refusedPauseMs = 300_000;

export interface PushFollowerDependencies extends Needs<
	'store' | 'backbone' | 'clock' | 'random' | 'logger'
> {
	/** Requests a sync soon. */
	readonly wake: () => void;
}

/**
 * Holds the push connection of one account and requests a sync as soon as a new event is signalled.
 * One process does so at a time, because a second connection would silence the first.
 */
export class PushFollower {
	private readonly holder: string;

	private readonly connection: PushConnection;

	private readonly looks: FollowUpLooks;

	private readonly registration: LostRegistration;

	private renewal: AbortController | undefined;

	/** code of the failure that was logged last */
	private logged: string | undefined;

	constructor(private readonly dependencies: PushFollowerDependencies) {
		const { clock, random, wake } = dependencies;
		this.holder = newLeaseHolder(random);
		this.connection = new PushConnection(clock);
		this.looks = new FollowUpLooks(wake);
		this.registration = new LostRegistration(
			clock,
			() => this.connection,
			(eventCreatedAt) => this.renew(eventCreatedAt),
		);
	}

	get isConnected(): boolean {
		return this.connection.connectedSince !== undefined;
	}

	/** Holds the connection, or waits for it, until the signal aborts. */
	async follow(signal: AbortSignal): Promise<void> {
		const { store } = this.dependencies;
		while (!signal.aborted) {
			const pauseMs = await this.followOnce(signal);
			await sleep(pauseMs, { signal, background: true }).catch(() => undefined);
		}
		this.connection.enter('off');
		await store.transact((tx) => tx.leases.drop(leaseName, this.holder)).catch(() => undefined);
	}

	/**
	 * Notes the events that a sync has found.
	 *
	 * @param createdAt creation times, milliseconds since the epoch by the Backbone's clock
	 */
	eventsFound(createdAt: readonly number[]): void {
		const skewMs = this.dependencies.backbone.clockSkewMs ?? 0;
		this.registration.found(createdAt.map((time) => time - skewMs));
	}

	/**
	 * Describes the push connection of this process, or reports that another process has the
	 * connection.
	 */
	async status(tx: ReadTransaction): Promise<PushStatusDto> {
		if (this.connection.status.state === 'off') {
			const lease = (await tx.leases.list()).find(({ name }) => name === leaseName);
			if (lease !== undefined && lease.holder !== this.holder && !lease.isExpired) {
				return describePush({ kind: 'elsewhere' }, this.connection.lastEventAt, 0);
			}
		}
		return this.connection.status;
	}

	/** Holds the connection once; returns the milliseconds to wait before the next attempt. */
	private async followOnce(signal: AbortSignal): Promise<number> {
		const { store } = this.dependencies;
		try {
			if (!(await store.transact((tx) => this.takeLease(tx), { signal }))) {
				this.connection.enter('elsewhere');
				return leaseMs / 3;
			}
			this.connection.enter('connecting');
			return await this.subscribe(signal);
		} catch (error) {
			if (signal.aborted) return 0;
			return this.onFailure(isGatewayError(error) ? error : unexpected(error));
		} finally {
			this.looks.cancel();
			this.registration.cancel();
		}
	}

	private async subscribe(signal: AbortSignal): Promise<number> {
		const { backbone } = this.dependencies;
		const [leaseLost, renewal] = [new AbortController(), new AbortController()];
		this.renewal = renewal;
		const stopRenewal = startLeaseRenewal({
			leaseMs,
			renew: () => this.dependencies.store.transact((tx) => this.takeLease(tx)),
			onLost: () => leaseLost.abort(),
			onFailure: () => undefined,
		});
		try {
			const any = AbortSignal.any([signal, leaseLost.signal, renewal.signal]);
			for await (const push of backbone.push.subscribe({ signal: any })) this.onSignal(push);
		} catch (error) {
			if (renewal.signal.aborted) return renewalPauseMs;
			if (!leaseLost.signal.aborted) throw error;
		} finally {
			stopRenewal();
			this.renewal = undefined;
		}
		this.connection.enter('elsewhere');
		return leaseMs / 3;
	}

	private onSignal(push: PushSignal): void {
		const isNewEvent = this.connection.heard(push);
		if (push.kind === 'lost' && push.error.code === backboneErrors.pushNotAvailable.code) {
			this.logFailure(push.error);
		}
		if (push.kind === 'opened') this.logged = undefined;
		// Signals are not repeated, so each new connection may have missed some.
		if (!isNewEvent && push.kind !== 'opened') return;
		this.dependencies.wake();
		this.looks.eventSignalled();
	}

	private takeLease(tx: WriteTransaction): Promise<boolean> {
		return tx.leases.take(leaseName, this.holder, leaseMs);
	}

	private renew(eventCreatedAt: number): void {
		const error = backboneErrors.create('pushNotRegistered', {
			message: `Push did not announce an event of ${isoInstant(eventCreatedAt)} that a sync has found.`,
		});
		this.connection.failed(error);
		this.logFailure(error);
		this.renewal?.abort();
	}

	private onFailure(error: GatewayError): number {
		// A changed setting has replaced the connection to the Backbone.
		if (error.code === backboneErrors.closed.code) return renewalPauseMs;
		this.connection.failed(error);
		this.logFailure(error);
		if (error.code === backboneErrors.identityDeleted.code) return longestTimerMs;
		return error.kind === 'forbidden' ? refusedPauseMs : leaseMs / 3;
	}

	/** Logs a failure once until push works again, not with every attempt. */
	private logFailure({ code, message }: GatewayError): void {
		if (this.logged === code) return;
		this.logged = code;
		this.dependencies.logger.warn('push does not work', { code, reason: message });
	}
}

function unexpected(cause: unknown): GatewayError {
	return backboneErrors.create('pushEnded', { message: `Push failed: ${String(cause)}`, cause });
}
