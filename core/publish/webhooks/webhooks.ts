import type { LookupFunction } from 'node:net';
import { systemClock, type Clock } from '../../base/clock';
import { CloseStack } from '../../base/close-stack';
import type { Logger } from '../../base/logger';
import { eventNamesIn, type AnyEventName, type EventVersion } from '../../events/event-names';
import { DeliveryQueue } from '../../events/delivery/delivery-queue';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { matchesPattern } from '../../events/event-pattern';
import { WebhookCaller } from './webhook-caller';
import type { WebhooksConfig } from './webhook-config';
import { WebhookSender } from './webhook-sender';
import { readWebhookTargets, type WebhookTarget } from './webhook-targets';

interface VersionedTarget extends WebhookTarget {
	readonly version: EventVersion;
}

export interface WebhooksDependencies {
	readonly facade: Pick<GatewayFacade, 'account' | 'events'>;
	readonly logger: Logger;
	readonly clock?: Clock;
	/** resolver to use instead of the system's */
	readonly lookup?: LookupFunction;
	/** version of the events for targets that name none; default: 6 */
	readonly eventVersion?: EventVersion | undefined;
}

/**
 * Posts events to the configured targets, with one independent queue per target. Closing finishes
 * the calls in progress.
 *
 * @throws the codes of `readWebhookTargets`
 * @see docs/protocol/http-api.md 11
 */
export async function openWebhooks(
	{ facade, logger, clock = systemClock, lookup, eventVersion = 6 }: WebhooksDependencies,
	config: WebhooksConfig,
): Promise<{ close(): Promise<void> }> {
	const targets = readWebhookTargets(config).map((target) => ({
		...target,
		version: target.version ?? eventVersion,
	}));
	warnAbout(targets, config, logger);
	const { address: identity } = await facade.account.getIdentity();
	const running = new CloseStack(logger);
	const { timeout: timeoutMs, skipTlsCheck, retry } = config;
	const caller = await WebhookCaller.open({ timeoutMs, skipTlsCheck, lookup });
	running.add('connections', () => caller.close());
	try {
		const queues: DeliveryQueue[] = [];
		// Queues close in parallel, because each waits for its own call.
		running.add('queues', async () => {
			await Promise.all(queues.map((queue) => queue.close()));
		});
		for (const target of targets) {
			const sender = new WebhookSender(target, { caller, clock, identity });
			queues.push(
				await DeliveryQueue.open(
					{ events: facade.events, logger },
					{
						consumer: target.consumer,
						filter: { names: namesOf(target), version: target.version },
						retry,
						send: (event, options) => sender.send(event, options),
					},
				),
			);
		}
	} catch (error) {
		await running.close();
		throw error;
	}
	return running;
}

function namesOf({
	triggers,
	version,
}: Pick<VersionedTarget, 'triggers' | 'version'>): AnyEventName[] {
	return eventNamesIn(version).filter((name) =>
		triggers.some((trigger) => matchesPattern(trigger, name)),
	);
}

function warnAbout(
	targets: readonly VersionedTarget[],
	config: WebhooksConfig,
	logger: Logger,
): void {
	if (config.skipTlsCheck) {
		logger.warn("'modules.webhooks.skipTlsCheck' is on: any server can impersonate a target");
	}
	for (const { consumer, triggers, signingSecret, version } of targets) {
		if (signingSecret === undefined) {
			logger.warn("calls are not signed: set 'modules.webhooks.signingSecret'", { consumer });
		}
		for (const trigger of triggers.filter(
			(one) => namesOf({ triggers: [one], version }).length === 0,
		)) {
			logger.warn('no event of this gateway matches a trigger', { consumer, trigger });
		}
	}
}
