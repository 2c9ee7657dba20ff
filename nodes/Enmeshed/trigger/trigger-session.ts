import type { ITriggerFunctions } from 'n8n-workflow';
import type { GatewayConfigInput, GatewayFacade, GatewayLease } from '../../../core';
import { credentialName, leaseGateway, toGatewayConfig } from '../gateway/acquire-gateway';
import { toNodeError } from '../errors/to-node-error';
import { wait } from '../helpers/wait';
import { consumerName } from './consumer-name';
import { EventDelivery } from './deliver-events';
import { deliveryHost } from './delivery-host';
import { ProblemReporter } from './problem-reporter';
import type { TriggerSettings } from './trigger-settings';

export interface SessionTiming {
	readonly firstBackoffMs: number;
	readonly longestBackoffMs: number;
	/** while the store is unavailable, which the operator usually repairs soon */
	readonly storeBackoffMs: number;
	/** interval for detecting a changed credential */
	readonly credentialCheckMs: number;
	/** time for which closing waits for running executions, so that their outcome is recorded */
	readonly graceMs: number;
	/** longest time for which publishing waits until no event is missed any more */
	readonly openingMs: number;
}

/**
 * Makes what delivers events to n8n.
 *
 * @param closed aborts when the trigger is closed, which ends the waiting for executions
 */
export type MakeDelivery = (
	functions: ITriggerFunctions,
	gateway: GatewayFacade,
	settings: TriggerSettings,
	closed: AbortSignal,
) => EventDelivery['deliver'];

const deliverEvents: MakeDelivery = (functions, gateway, settings, closed) =>
	new EventDelivery(deliveryHost(functions, gateway, settings, closed), settings).deliver;

export const defaultTiming: SessionTiming = {
	firstBackoffMs: 2_000,
	longestBackoffMs: 300_000,
	storeBackoffMs: 10_000,
	credentialCheckMs: 30_000,
	graceMs: 3_500,
	openingMs: 3_000,
};

/** limit for releasing resources after the grace period */
const closeLimitMs = 1_000;

/**
 * Published trigger from start to close. Temporary failures do not stop it: it retries opening the
 * gateway in the background and reports only problems that a person must solve.
 */
export class TriggerSession {
	/** aborts first: no new deliveries */
	private readonly closing = new AbortController();

	/** aborts after the grace period: ends the waiting for running executions */
	private readonly closed = new AbortController();

	/** problems of opening the gateway and of reading its events */
	private readonly running: ProblemReporter;

	/** problems of syncing with the Backbone */
	private readonly syncing: ProblemReporter;

	private served: GatewayFacade | undefined;

	private onOpened = (): void => undefined;

	private ended: Promise<void> = Promise.resolve();

	private closeOnce: Promise<void> | undefined;

	constructor(
		private readonly functions: ITriggerFunctions,
		private readonly settings: TriggerSettings,
		private readonly timing: SessionTiming = defaultTiming,
		private readonly makeDelivery: MakeDelivery = deliverEvents,
	) {
		this.running = new ProblemReporter(functions);
		this.syncing = new ProblemReporter(functions);
	}

	/**
	 * Resolves when the trigger's position among the events is stored, so that a published workflow
	 * misses none, or after a limit: n8n starts one trigger after the other.
	 */
	async start(): Promise<void> {
		const opened = new Promise<void>((resolve) => (this.onOpened = resolve));
		this.ended = this.runUntilClosed();
		await Promise.race([opened, wait(this.timing.openingMs, this.closing.signal)]);
	}

	/** Closes within about five seconds. Further calls have no effect. */
	close(): Promise<void> {
		this.closeOnce ??= this.stop();
		return this.closeOnce;
	}

	private async stop(): Promise<void> {
		this.closing.abort();
		await Promise.race([this.ended, wait(this.timing.graceMs)]);
		this.closed.abort();
		await Promise.race([this.ended, wait(closeLimitMs)]);
	}

	private async runUntilClosed(): Promise<void> {
		const { signal } = this.closing;
		const { firstBackoffMs, longestBackoffMs, storeBackoffMs } = this.timing;
		let failures = 0;
		while (!signal.aborted) {
			const startedAt = Date.now();
			let limitMs = longestBackoffMs;
			try {
				// Reads the credential each time, because a person may correct it
				// without restarting the trigger.
				const config = await this.readConfig();
				await this.serve(await leaseGateway(this.functions, config, { signal }), config);
				failures = 0;
			} catch (error) {
				if (signal.aborted) return;
				// A failure after a long run without failures starts a new series.
				const isNew = Date.now() - startedAt > longestBackoffMs;
				failures = isNew ? 1 : failures + 1;
				if (isNew) this.running.solved();
				this.onFailure(error);
				if (isStoreAway(error)) limitMs = storeBackoffMs;
			}
			const backoffMs = firstBackoffMs * 2 ** Math.max(0, failures - 1);
			await wait(Math.min(backoffMs, limitMs), signal);
		}
	}

	/** Ends when the trigger is closed, the gateway is closed, or the credential has changed. */
	private async serve(lease: GatewayLease, config: GatewayConfigInput): Promise<void> {
		const { gateway } = lease;
		const over = new AbortController();
		const signal = AbortSignal.any([this.closing.signal, over.signal]);
		const held: Array<{ release(): void | Promise<void> }> = [lease];
		// Problems of another account do not concern this one.
		if (gateway !== this.served) this.syncing.solved();
		this.served = gateway;
		try {
			void this.watchCredential(config, signal).then((changed) => changed && over.abort());
			await gateway.events.consume({
				consumer: await consumerName(this.functions, gateway),
				filter: this.settings.filter,
				startFrom: this.settings.startFrom,
				batchSize: this.settings.batchSize,
				parallel: this.settings.parallel,
				// What these cause comes after the position, and so to this trigger.
				onOpened: () => {
					held.push(this.keepSynced(gateway), ...this.autoAccept(gateway));
					this.onOpened();
				},
				deliver: this.makeDelivery(this.functions, gateway, this.settings, this.closed.signal),
				signal,
			});
		} finally {
			over.abort();
			// Releases everything before closing ends: n8n may exit right after it, and closes no
			// gateway.
			for (const part of held.reverse()) await part.release();
		}
	}

	private keepSynced(gateway: GatewayFacade): { release(): Promise<void> } {
		return gateway.events.keepSynced({
			intervalMs: this.settings.syncIntervalMs,
			push: this.settings.push,
			onProblem: (problem) => this.syncing.report(problem),
		});
	}

	private autoAccept(gateway: GatewayFacade): Array<{ release(): void }> {
		if (!this.settings.acceptPendingRelationships) return [];
		const { purposes, templateIds } = this.settings.filter;
		return [
			gateway.events.autoAccept({
				...(purposes === undefined ? {} : { purposes }),
				...(templateIds === undefined ? {} : { templateIds }),
				onProblem: (problem) => problem && this.syncing.reportOnce(problem),
			}),
		];
	}

	/**
	 * True if a person has changed the credential, of which n8n does not inform running triggers.
	 * Also checks while there is no problem: the person may have corrected the credential while the
	 * gateway was opening with the old one, and actions use the new one from then on.
	 */
	private async watchCredential(config: GatewayConfigInput, signal: AbortSignal): Promise<boolean> {
		const known = JSON.stringify(config);
		for (;;) {
			await wait(this.timing.credentialCheckMs, signal);
			if (signal.aborted) return false;
			const current = await this.readConfig().catch(() => config);
			if (JSON.stringify(current) !== known) return true;
		}
	}

	private async readConfig(): Promise<GatewayConfigInput> {
		return toGatewayConfig(await this.functions.getCredentials(credentialName));
	}

	private onFailure(error: unknown): void {
		const shown = toNodeError(this.functions.getNode(), error);
		const code = typeof shown.context['code'] === 'string' ? shown.context['code'] : shown.message;
		if (shown.failure?.cause === 'temporarily-unavailable') {
			const name = this.functions.getNode().name;
			this.functions.logger.warn(`[${name}] ${shown.message}; trying again (${code})`);
			return;
		}
		this.running.reportAs(code, shown);
	}
}

function isStoreAway(error: unknown): boolean {
	const { code, kind } = (error ?? {}) as { code?: unknown; kind?: unknown };
	return kind === 'unavailable' && String(code).startsWith('error.gateway.store.');
}
