import type { ITriggerFunctions } from 'n8n-workflow';
import type { GatewayEvent, GatewayFacade } from '../../../core';
import { credentialName, leaseGateway, toGatewayConfig } from '../helpers/acquire-gateway';
import { toNodeError } from '../helpers/to-node-error';
import { toEventItems } from './event-items';
import type { TriggerSettings } from './trigger-settings';

const testSyncIntervalMs = 5_000;

/**
 * The test in the editor: emits the newest stored event that fits as a sample, or else waits for one.
 * It has no cursor of its own and moves none, so a published workflow misses nothing.
 */
export class ManualTest {
	private readonly closed = new AbortController();

	constructor(
		private readonly functions: ITriggerFunctions,
		private readonly settings: TriggerSettings,
	) {}

	async run(): Promise<void> {
		const { functions, closed } = this;
		const { signal } = closed;
		try {
			const config = toGatewayConfig(await functions.getCredentials(credentialName));
			const lease = await leaseGateway(functions, config, { signal });
			try {
				const event = await this.findEvent(lease.gateway, signal);
				const items = await toEventItems([event], lease.gateway, { signal });
				signal.throwIfAborted();
				functions.emit([items]);
			} finally {
				lease.release();
			}
		} catch (error) {
			// Closed before an event came: nothing was wrong.
			if (!signal.aborted) throw toNodeError(functions.getNode(), error);
		}
	}

	close(): void {
		this.closed.abort();
	}

	private async findEvent(gateway: GatewayFacade, signal: AbortSignal): Promise<GatewayEvent> {
		const { filter } = this.settings;
		const [sample] = await gateway.events.recent(filter, 1, { signal });
		if (sample !== undefined) return sample;
		const next = gateway.events.next(filter, { signal });
		const syncing = gateway.events.keepSynced({
			intervalMs: testSyncIntervalMs,
			push: true,
			onProblem: (problem) => {
				if (problem !== undefined) this.functions.logger.warn(problem.message);
			},
		});
		try {
			return await next;
		} finally {
			syncing.release();
		}
	}
}
