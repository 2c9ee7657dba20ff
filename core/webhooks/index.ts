/** Webhooks: a module of the HTTP face (docs/protocol/http-api.md 11). */
export { webhookSettings, type WebhooksConfig } from './webhook-config';
export { readWebhookTargets } from './webhook-targets';
export { openWebhooks, type WebhooksContext } from './webhooks';
