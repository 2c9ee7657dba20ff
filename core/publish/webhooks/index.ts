/** Webhooks: a module of the HTTP gateway (docs/protocol/http-api.md 11). */
export { webhookSettings } from './webhook-config';
export { readWebhookTargets } from './webhook-targets';

type Open = typeof import('./webhooks').openWebhooks;

/** Loads the sending part only when webhooks are switched on. */
export const openWebhooks: Open = async (...given) =>
	(await import('./webhooks')).openWebhooks(...given);
