import type { ITriggerFunctions } from 'n8n-workflow';
import type { AnyEvent, GatewayFacade, GatewayProblem } from '../../../core';
import { credentialName, leaseGateway, toGatewayConfig } from '../gateway/acquire-gateway';
import { describeError, toNodeError } from '../errors/to-node-error';
import { itemOptions } from './delivery-host';
import { toEventItems } from './event-items';
import { findSample, originText, type Sample } from './sample-event';
import type { TriggerSettings } from './trigger-settings';
import { ownMember } from '../helpers/members';

const testSyncIntervalMs = 5_000;

/**
 * Test in the editor: syncs, emits a stored event that matches as a sample, or else waits for one.
 * It has no cursor and moves none, so a published workflow misses no event.
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
				const { event, origin } = await this.findEvent(lease.gateway, signal);
				const options = itemOptions(functions, lease.gateway, this.settings, signal);
				const items = await toEventItems([event], lease.gateway, options);
				signal.throwIfAborted();
				const sample = originText(origin, event);
				functions.emit([items.map((item) => ({ ...item, json: { ...item.json, sample } }))]);
			} finally {
				lease.release();
			}
		} catch (error) {
			// The person closed the test before an event came, which is not an error.
			if (!signal.aborted) throw toNodeError(functions.getNode(), error);
		}
	}

	close(): void {
		this.closed.abort();
	}

	private async findEvent(gateway: GatewayFacade, signal: AbortSignal): Promise<Sample> {
		const { filter } = this.settings;
		await this.sync(gateway, signal);
		const sample = await findSample(gateway, filter, { signal });
		if (sample !== undefined) return sample;
		const waiting = new AbortController();
		const held: Array<{ release(): Promise<void> }> = [];
		try {
			const event = await new Promise<AnyEvent>((resolve, reject) => {
				const either = AbortSignal.any([signal, waiting.signal]);
				gateway.events.next(filter, { signal: either }).then(resolve, reject);
				const onProblem = (problem: GatewayProblem | undefined): void => {
					if (problem !== undefined) reject(describeError(this.functions.getNode(), problem));
				};
				const intervalMs = testSyncIntervalMs;
				held.push(gateway.events.keepSynced({ intervalMs, push: true, onProblem }));
			});
			return { event, origin: 'arrived' };
		} finally {
			waiting.abort();
			for (const part of held) await part.release();
		}
	}

	/** Stored events serve as samples while the Backbone is away. */
	private async sync(gateway: GatewayFacade, signal: AbortSignal): Promise<void> {
		await gateway.account.sync({ signal }).catch(async (error: unknown) => {
			signal.throwIfAborted();
			if (ownMember(error, 'kind') !== 'unavailable') await Promise.reject(error);
		});
	}
}
