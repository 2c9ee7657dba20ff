import { sleep } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { isGatewayError, type GatewayError } from '../../base/errors';
import { newLeaseHolder } from '../../base/lease-holder';
import type { Logger } from '../../base/logger';
import type { Random } from '../../base/random';
import type { Backbone } from '../../backbone/backbone';
import { backboneErrors } from '../../backbone/backbone-errors';
import type { PushSignal } from '../../backbone/push-signal';
import type { PushStatusDto } from '../../model/record/sync';
import type { ReadTransaction, Store, WriteTransaction } from '../../store/store';
import { FollowUpLooks } from './follow-up-looks';
import { LostRegistration } from './lost-registration';
import { PushConnection } from './push-connection';
import { describePush } from './push-status';

const leaseName = 'push';
const leaseMs = 60_000;
/** for the push service to notice the end of a connection before the next one registers */
const renewalPauseMs = 1_000;
/** asking again for what was refused costs one of three tries before the Backbone locks a login */
const refusedPauseMs = 300_000;
/** the longest that a timer can wait: until a person does something */
const forGoodMs = 2 ** 31 - 1;

export interface PushFollowerDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly random: Random;
	readonly logger: Logger;
	/** Syncs soon. */
	readonly wake: () => void;
}

/**
 * Holds the push connection of one account and has it synced as soon as something is announced. One
 * process does so at a time: a second connection would silence the first.
 */
export class PushFollower {
	private readonly holder: string;

	private readonly connection: PushConnection;

	private readonly looks: FollowUpLooks;

	private readonly registration: LostRegistration;

	private renewal: AbortController | undefined;

	/** code of the failure that was logged last */
	private logged: string | undefined;

	constructor(private readonly deps: PushFollowerDependencies) {
		const { clock, random, wake } = deps;
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
		const { store } = this.deps;
		while (!signal.aborted) {
			const pauseMs = await this.followOnce(signal);
			await sleep(pauseMs, { signal, background: true }).catch(() => undefined);
		}
		this.connection.enter('off');
		await store.transact((tx) => tx.leases.drop(leaseName, this.holder)).catch(() => undefined);
	}

	/** @param createdAt of events that a sync has found, milliseconds since the epoch by the Backbone */
	eventsFound(createdAt: readonly number[]): void {
		const skewMs = this.deps.backbone.clockSkewMs ?? 0;
		this.registration.found(createdAt.map((time) => time - skewMs));
	}

	/** Whether push works in this process, or another one has the connection. */
	async status(tx: ReadTransaction): Promise<PushStatusDto> {
		if (this.connection.status.state === 'off') {
			const lease = (await tx.leases.list()).find(({ name }) => name === leaseName);
			if (lease !== undefined && lease.holder !== this.holder && !lease.isOver) {
				return describePush({ kind: 'elsewhere' }, this.connection.lastAnnouncedAt, 0);
			}
		}
		return this.connection.status;
	}

	/** Milliseconds to wait before the next try. */
	private async followOnce(signal: AbortSignal): Promise<number> {
		const { store } = this.deps;
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
		const { backbone } = this.deps;
		const [leaseLost, renewal] = [new AbortController(), new AbortController()];
		this.renewal = renewal;
		const keeping = setInterval(() => this.keepLease(leaseLost), leaseMs / 3).unref();
		try {
			const any = AbortSignal.any([signal, leaseLost.signal, renewal.signal]);
			for await (const push of backbone.push.subscribe({ signal: any })) this.onSignal(push);
		} catch (error) {
			if (signal.aborted) throw error;
			if (renewal.signal.aborted) return renewalPauseMs;
			if (!leaseLost.signal.aborted) throw error;
		} finally {
			clearInterval(keeping);
			this.renewal = undefined;
		}
		this.connection.enter('elsewhere');
		return leaseMs / 3;
	}

	private onSignal(push: PushSignal): void {
		const isAnnounced = this.connection.heard(push);
		if (push.kind === 'lost' && push.error.code === backboneErrors.pushNotAvailable.code) {
			this.logFailure(push.error);
		}
		if (push.kind === 'opened') this.logged = undefined;
		// Nothing is replayed, so every new connection may have missed something.
		if (!isAnnounced && push.kind !== 'opened') return;
		this.deps.wake();
		this.looks.announced();
	}

	private takeLease(tx: WriteTransaction): Promise<boolean> {
		return tx.leases.take(leaseName, this.holder, leaseMs);
	}

	private keepLease(lost: AbortController): void {
		this.deps.store
			.transact((tx) => this.takeLease(tx))
			.then((held) => (held ? undefined : lost.abort()))
			.catch(() => undefined);
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
		if (error.code === backboneErrors.identityDeleted.code) return forGoodMs;
		return error.kind === 'forbidden' ? refusedPauseMs : leaseMs / 3;
	}

	/** Once until push works, not with every try. */
	private logFailure({ code, message }: GatewayError): void {
		if (this.logged === code) return;
		this.logged = code;
		this.deps.logger.warn('push does not work', { code, reason: message });
	}
}

function unexpected(cause: unknown): GatewayError {
	return backboneErrors.create('pushEnded', { message: `Push failed: ${String(cause)}`, cause });
}
