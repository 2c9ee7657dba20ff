import type { ITriggerFunctions } from 'n8n-workflow';
import type { GatewayConfigInput, GatewayFacade, GatewayLease } from '../../../core';
import { credentialName, leaseGateway, toGatewayConfig } from '../helpers/acquire-gateway';
import { toNodeError } from '../helpers/to-node-error';
import { wait } from '../helpers/wait';
import { consumerName } from './consumer-name';
import { EventDelivery } from './deliver-events';
import { deliveryHost } from './delivery-host';
import { ProblemReporter } from './problem-reporter';
import type { TriggerSettings } from './trigger-settings';

export interface SessionTiming {
	readonly firstBackoffMs: number;
	readonly longestBackoffMs: number;
	/** while the store is away, which is people's own and soon back */
	readonly storeBackoffMs: number;
	/** how often to look whether the credential was changed */
	readonly credentialCheckMs: number;
	/** how long closing waits for running executions, so that their end still counts */
	readonly graceMs: number;
}

const defaultTiming: SessionTiming = {
	firstBackoffMs: 2_000,
	longestBackoffMs: 300_000,
	storeBackoffMs: 10_000,
	credentialCheckMs: 30_000,
	graceMs: 3_500,
};

/** after the grace, for what has to be given back */
const closeLimitMs = 1_000;

/**
 * A published trigger from start to close. It never fails for what passes by itself: a gateway that
 * does not open is tried again in the background, and only people's problems are reported.
 */
export class TriggerSession {
	/** aborts first: no new deliveries */
	private readonly closing = new AbortController();

	/** aborts after the grace: executions under way are not waited for */
	private readonly closed = new AbortController();

	/** opening the gateway and reading its events */
	private readonly running: ProblemReporter;

	/** keeping in step with the Backbone */
	private readonly syncing: ProblemReporter;

	private served: GatewayFacade | undefined;

	private ended: Promise<void> = Promise.resolve();

	private closeOnce: Promise<void> | undefined;

	constructor(
		private readonly functions: ITriggerFunctions,
		private readonly settings: TriggerSettings,
		private readonly timing: SessionTiming = defaultTiming,
	) {
		this.running = new ProblemReporter(functions);
		this.syncing = new ProblemReporter(functions);
	}

	start(): void {
		this.ended = this.runUntilClosed();
	}

	/** May be called twice; takes at most about five seconds. */
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
				// Read again each time: a credential may be corrected without the trigger being restarted.
				const config = await this.readConfig();
				await this.serve(await leaseGateway(this.functions, config, { signal }), config);
				failures = 0;
			} catch (error) {
				if (signal.aborted) return;
				// After a long time of good service a failure is a new one.
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

	/** Ends when the trigger is closed, the gateway is closed, or the credential was changed. */
	private async serve(lease: GatewayLease, config: GatewayConfigInput): Promise<void> {
		const { gateway } = lease;
		const over = new AbortController();
		const signal = AbortSignal.any([this.closing.signal, over.signal]);
		const held: Array<{ release(): void | Promise<void> }> = [lease];
		// What was wrong with another account says nothing about this one.
		if (gateway !== this.served) this.syncing.solved();
		this.served = gateway;
		try {
			held.push(this.keepSynced(gateway), ...this.autoAccept(gateway));
			void this.watchCredential(config, signal).then((changed) => changed && over.abort());
			const host = deliveryHost(this.functions, gateway, this.closed.signal);
			const delivery = new EventDelivery(host, this.settings);
			await gateway.events.consume({
				consumer: await consumerName(this.functions, gateway),
				filter: this.settings.filter,
				startFrom: this.settings.startFrom,
				batchSize: this.settings.batchSize,
				deliver: delivery.deliver,
				signal,
			});
		} finally {
			over.abort();
			// n8n may end right after the trigger was closed, and closes no gateway.
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
		const { templateIds } = this.settings.filter;
		return [
			gateway.events.autoAccept({
				...(templateIds === undefined ? {} : { templateIds }),
				onProblem: (problem) => problem && this.syncing.reportOnce(problem),
			}),
		];
	}

	/**
	 * True when a person has changed the credential; n8n tells running triggers nothing. Also looks
	 * while all is well: the correction may have come while the gateway was opening with what was
	 * read before, and actions go by the new credential from then on.
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
