import type { WebhookUseCases } from '../facade/http/webhooks';
import { WebhookCalls } from '../webhooks/webhook-calls';
import { WebhookDelivery } from '../webhooks/webhook-delivery';
import { WebhookService } from '../webhooks/webhook-service';
import { keepRunning } from './background-work';
import type { ServiceDependencies } from './service-dependencies';

/** Services of the webhooks that clients register. */
export function openWebhookServices(parts: ServiceDependencies) {
	const { store, clock, random, consumers, account, config } = parts;
	const { allowPrivateTargets: allowsPrivateTargets, timeoutMs } = config.webhooks;
	const listeners = new Set<() => void>();
	const webhooks = new WebhookService({
		...{ store, clock, random, consumers, allowsPrivateTargets },
		version: account.hasOneId ? 7 : 6,
		onChange: () => {
			for (const listener of listeners) listener();
		},
	});
	const webhookCalls = new WebhookCalls({
		...{ clock, random, allowsPrivateTargets, timeoutMs },
		identity: account.address,
	});
	parts.closing.add('webhook calls', () => webhookCalls.close());
	return { webhooks, webhookCalls, webhookListeners: listeners };
}

type WebhookServices = ReturnType<typeof openWebhookServices>;

/** Begins to deliver the events of registered webhooks. */
export function keepDelivering(
	parts: ServiceDependencies,
	{ webhooks, webhookCalls: calls, webhookListeners }: WebhookServices,
	{ retry }: Parameters<WebhookUseCases['keepDelivering']>[0] = {},
): ReturnType<WebhookUseCases['keepDelivering']> {
	const { store, random, consumers, logger } = parts;
	const delivery = new WebhookDelivery(
		{ store, consumers, webhooks, calls, random, logger: logger.child('webhooks') },
		retry,
	);
	webhookListeners.add(delivery.onChange);
	return keepRunning(parts, 'webhooks', async (signal) => {
		await delivery.run(signal).finally(() => webhookListeners.delete(delivery.onChange));
	});
}
