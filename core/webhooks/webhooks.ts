import type { LookupFunction } from 'node:net';
import { systemClock, type Clock } from '../base/clock';
import { CloseStack } from '../base/close-stack';
import type { Logger } from '../base/logger';
import { eventCatalogue } from '../events/catalogue';
import { DeliveryLine } from '../events/delivery-line';
import type { GatewayFacade } from '../facade';
import { fitsTrigger } from './trigger-pattern';
import { WebhookCaller } from './webhook-caller';
import type { WebhooksConfig } from './webhook-config';
import { WebhookSender } from './webhook-sender';
import { readWebhookTargets, type WebhookTarget } from './webhook-targets';

export interface WebhooksContext {
	readonly facade: Pick<GatewayFacade, 'account' | 'events'>;
	readonly logger: Logger;
	readonly clock?: Clock;
	/** another source of addresses than the system's */
	readonly lookup?: LookupFunction;
}

/**
 * Posts events to the targets of the settings, for each in a line of its own: none waits for another.
 * Closing lets the calls under way come to their end.
 *
 * @throws the codes of `readWebhookTargets`
 * @see docs/protocol/http-api.md 11
 */
export async function openWebhooks(
	{ facade, logger, clock = systemClock, lookup }: WebhooksContext,
	config: WebhooksConfig,
): Promise<{ close(): Promise<void> }> {
	const targets = readWebhookTargets(config);
	warnAbout(targets, config, logger);
	const { address: identity } = await facade.account.getIdentity();
	const running = new CloseStack(logger);
	const { timeout: timeoutMs, skipTlsCheck, retry } = config;
	const caller = await WebhookCaller.open({ timeoutMs, skipTlsCheck, lookup });
	running.add('connections', () => caller.close());
	try {
		const lines: DeliveryLine[] = [];
		// All at once: each waits for its own call.
		running.add('lines', async () => {
			await Promise.all(lines.map((line) => line.close()));
		});
		for (const target of targets) {
			const sender = new WebhookSender(target, { caller, clock, identity });
			lines.push(
				await DeliveryLine.open(
					{ events: facade.events, logger },
					{
						consumer: target.consumer,
						filter: { names: namesOf(target) },
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

function namesOf({ triggers }: Pick<WebhookTarget, 'triggers'>): string[] {
	return Object.keys(eventCatalogue).filter((name) =>
		triggers.some((trigger) => fitsTrigger(trigger, name)),
	);
}

function warnAbout(
	targets: readonly WebhookTarget[],
	config: WebhooksConfig,
	logger: Logger,
): void {
	if (config.skipTlsCheck) {
		logger.warn("'modules.webhooks.skipTlsCheck' is on: anybody may pass for a target");
	}
	for (const { consumer, triggers, signingSecret } of targets) {
		if (signingSecret === undefined) {
			logger.warn("calls are not signed: set 'modules.webhooks.signingSecret'", { consumer });
		}
		for (const trigger of triggers.filter((one) => namesOf({ triggers: [one] }).length === 0)) {
			logger.warn('no event of this gateway fits a trigger', { consumer, trigger });
		}
	}
}
