import { createHash } from 'node:crypto';
import { safeParse } from '../../base/schema-parse';
import type { EventVersion } from '../../events/event-names';
import { isForbiddenHost } from './forbidden-address';
import { webhookAuthenticationInputSchema } from '../../model/input/webhook';
import type { WebhookAuthentication, WebhooksConfig, WebhookTargetConfig } from './webhook-config';
import { webhookErrors } from './webhook-errors';

/** Receiver of webhooks with its resolved settings. */
export interface WebhookTarget {
	/** name of its cursor, which survives changes of the settings */
	readonly consumer: string;
	/** contains the placeholder */
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly authentication?: WebhookAuthentication | undefined;
	readonly signingSecret?: string | undefined;
	/** version of its events, if it has its own */
	readonly version?: EventVersion | undefined;
	/**
	 * triggers of all webhooks with this target; an event is posted once for each trigger that
	 * matches
	 */
	readonly triggers: string[];
}

/** Event name with which the filled address is validated. */
const sampleTrigger = 'transport.messageReceived';

/** Address for an event: the first placeholder is replaced (docs/protocol/http-api.md 11). */
export function filledUrl(url: string, trigger: string): string {
	return url.replace('{{trigger}}', () => trigger);
}

/**
 * Resolves the targets of the settings, each once.
 *
 * @throws `error.runtime.modules.webhooks.invalidTargetReference`,
 * `error.runtime.modules.webhooks.invalidUrlFormat`,
 * `error.runtime.modules.webhooks.invalidAuthenticationConfig`,
 * `error.gateway.webhooks.forbiddenAddress`, all with the name of the setting
 */
export function readWebhookTargets(config: WebhooksConfig): WebhookTarget[] {
	const found = new Map<WebhookTargetConfig, WebhookTarget>();
	const consumers = new Set<string>();
	// Unused targets are checked too, so that an operator learns of a mistake before a webhook
	// depends on it.
	for (const [name, target] of Object.entries(config.targets)) {
		const setting = `modules.webhooks.targets.${name}`;
		found.set(target, readTarget(target, setting, `webhook:${name}`, config));
		consumers.add(`webhook:${name}`);
	}
	for (const [index, { target: wanted, triggers }] of config.webhooks.entries()) {
		const setting = `modules.webhooks.webhooks.${index}.target`;
		const target = typeof wanted === 'string' ? namedTarget(config, wanted, setting) : wanted;
		const known = found.get(target);
		const read = known ?? readTarget(target, setting, inlineName(target, consumers), config);
		read.triggers.push(...triggers);
		found.set(target, read);
		consumers.add(read.consumer);
	}
	return [...found.values()].filter(({ triggers }) => triggers.length > 0);
}

function namedTarget(config: WebhooksConfig, name: string, setting: string): WebhookTargetConfig {
	if (Object.hasOwn(config.targets, name)) {
		const target = config.targets[name];
		if (target !== undefined) return target;
	}
	throw webhookErrors.create('invalidTargetReference', {
		message: `The setting '${setting}' names the target '${name}', which does not exist.`,
		facts: { setting },
	});
}

/**
 * Derives the cursor's name from the address, so that reordered settings or a new password keep the
 * cursor.
 */
function inlineName({ url }: WebhookTargetConfig, taken: ReadonlySet<string>): string {
	const host = URL.parse(filledUrl(url, sampleTrigger))?.hostname ?? 'target';
	const mark = createHash('sha256').update(url).digest('hex').slice(0, 8);
	const name = `webhook:${host}-${mark}`;
	let number = 1;
	while (taken.has(number === 1 ? name : `${name}-${number}`)) number++;
	return number === 1 ? name : `${name}-${number}`;
}

function readTarget(
	{ url, headers = {}, authentication, signingSecret, version }: WebhookTargetConfig,
	setting: string,
	consumer: string,
	config: WebhooksConfig,
): WebhookTarget {
	requireCallable(filledUrl(url, sampleTrigger), `${setting}.url`);
	return {
		consumer,
		url,
		headers,
		authentication: readAuthentication(authentication, `${setting}.authentication`),
		signingSecret: signingSecret ?? config.signingSecret,
		version,
		triggers: [],
	};
}

function readAuthentication(given: unknown, setting: string): WebhookAuthentication | undefined {
	if (given === undefined) return undefined;
	const parsed = safeParse(webhookAuthenticationInputSchema, given);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		const at = [setting, ...(issue?.path.map(String) ?? [])].join('.');
		throw webhookErrors.create('invalidAuthenticationConfig', {
			message: `The setting '${at}' is not valid: ${issue?.message ?? 'unexpected value'}.`,
			facts: { setting: at },
		});
	}
	if (parsed.data.type === 'OAuth2') {
		requireCallable(parsed.data.accessTokenUrl, `${setting}.accessTokenUrl`);
	}
	return parsed.data;
}

function requireCallable(address: string, setting: string): void {
	const url = URL.parse(address);
	if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
		throw webhookErrors.create('invalidUrlFormat', {
			message: `The setting '${setting}' is not an http or https address.`,
			facts: { setting },
		});
	}
	if (isForbiddenHost(url.hostname)) {
		throw webhookErrors.create('forbiddenAddress', {
			message: `The setting '${setting}' points to an address that must not be called.`,
			facts: { setting },
		});
	}
}
