import { createHash } from 'node:crypto';
import { isForbiddenHost } from './forbidden-address';
import {
	authenticationSchema,
	type WebhookAuthentication,
	type WebhooksConfig,
	type WebhookTargetConfig,
} from './webhook-config';
import { webhookErrors } from './webhook-errors';

/** One receiver with everything that it is to be told. */
export interface WebhookTarget {
	/** of its cursor, which outlives changes of the settings */
	readonly consumer: string;
	/** with the placeholder */
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly authentication?: WebhookAuthentication | undefined;
	readonly signingSecret?: string | undefined;
	/** of all webhooks that lead here: an event is posted once for each of them that it fits */
	readonly triggers: string[];
}

/** A name that looks like one, to see whether the filled address is one. */
const sampleTrigger = 'transport.messageReceived';

/** The address for an event: the first placeholder is filled (docs/protocol/http-api.md 11). */
export function filledUrl(url: string, trigger: string): string {
	return url.replace('{{trigger}}', () => trigger);
}

/**
 * The targets of the settings, each once.
 *
 * @throws `error.runtime.modules.webhooks.invalidTargetReference`,
 * `error.runtime.modules.webhooks.invalidUrlFormat`,
 * `error.runtime.modules.webhooks.invalidAuthenticationConfig`,
 * `error.gateway.webhooks.forbiddenAddress`, all with the name of the setting
 */
export function readWebhookTargets(config: WebhooksConfig): WebhookTarget[] {
	const found = new Map<WebhookTargetConfig, WebhookTarget>();
	const consumers = new Set<string>();
	// Also those that no webhook leads to: a mistake is told before somebody relies on it.
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

/** By its address, so that another order of the settings, or a new password, loses nothing. */
function inlineName({ url }: WebhookTargetConfig, taken: ReadonlySet<string>): string {
	const host = URL.parse(filledUrl(url, sampleTrigger))?.hostname ?? 'target';
	const mark = createHash('sha256').update(url).digest('hex').slice(0, 8);
	const name = `webhook:${host}-${mark}`;
	let number = 1;
	while (taken.has(number === 1 ? name : `${name}-${number}`)) number++;
	return number === 1 ? name : `${name}-${number}`;
}

function readTarget(
	{ url, headers = {}, authentication, signingSecret }: WebhookTargetConfig,
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
		triggers: [],
	};
}

function readAuthentication(given: unknown, setting: string): WebhookAuthentication | undefined {
	if (given === undefined) return undefined;
	const parsed = authenticationSchema.safeParse(given);
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
			message: `The setting '${setting}' is no address that can be called.`,
			facts: { setting },
		});
	}
	if (isForbiddenHost(url.hostname)) {
		throw webhookErrors.create('forbiddenAddress', {
			message: `The setting '${setting}' leads to an address that must not be called.`,
			facts: { setting },
		});
	}
}
