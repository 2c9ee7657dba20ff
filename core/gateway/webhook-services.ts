import type { WebhookUseCases } from '../facade/http/webhooks';
import { WebhookCalls } from '../webhooks/webhook-calls';
import { WebhookDelivery } from '../webhooks/webhook-delivery';
import { WebhookService } from '../webhooks/webhook-service';
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
	{ store, random, consumers, closing, stop, logger }: ServiceDependencies,
	{ webhooks, webhookCalls: calls, webhookListeners }: WebhookServices,
	{ retry }: Parameters<WebhookUseCases['keepDelivering']>[0] = {},
): ReturnType<WebhookUseCases['keepDelivering']> {
	const released = new AbortController();
	const delivery = new WebhookDelivery(
		{ store, consumers, webhooks, calls, random, logger: logger.child('webhooks') },
		retry,
	);
	webhookListeners.add(delivery.onChange);
	const done = delivery.run(AbortSignal.any([stop.signal, released.signal]));
	const release = async (): Promise<void> => {
		webhookListeners.delete(delivery.onChange);
		released.abort();
		await done;
	};
	closing.add('webhooks', release);
	return { release };
}
