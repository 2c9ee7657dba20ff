import * as z from 'zod';
import { brokersShape } from '../../publish/brokers';
import { automationConfigSchema } from '../../model/automation';
import { webhookSettings } from '../../publish/webhooks';
import { isSettings, without, type Settings } from './config-sources';

/** Members of every module; modules of other names do not exist here. */
const common = {
	displayName: z.string().optional(),
	location: z.string().optional(),
	requiredInfrastructure: z.array(z.string()).optional(),
};
const toggled = { enabled: z.boolean().default(false), ...common };
const onByDefault = { enabled: z.boolean().default(true), ...common };
const alwaysOn = {
	enabled: z
		.literal(true, 'is a part of the gateway and cannot be switched off; leave the setting out')
		.default(true),
	...common,
};

const intervalRule =
	"expected 0.1 to 86400 seconds; to synchronise only by hand, set 'modules.sync.enabled' to false";

const seconds = z.number(intervalRule).min(0.1, intervalRule).max(86_400, intervalRule);
const numberAsText = z
	.string()
	.regex(/^\d+(\.\d+)?$/)
	.transform(Number);

/** Settings of each module that can be switched off, beside the common ones. */
const ownSettings = {
	sync: {
		interval: z.union([seconds, numberAsText], intervalRule).pipe(seconds).default(60),
	},
	sse: {
		/** address of the push service if it differs from the Backbone's */
		baseUrlOverride: z
			.string()
			.regex(/^https?:\/\//, "must begin with 'http://' or 'https://'")
			.optional(),
	},
	coreHttpApi: {
		docs: z
			.strictObject({
				enabled: z.boolean().default(true),
				rapidoc: z.strictObject({ persistAuth: z.boolean().default(false) }).prefault({}),
			})
			.prefault({}),
	},
	decider: { automationConfig: automationConfigSchema.default([]) },
	webhooks: webhookSettings,
	messageBrokerPublisher: brokersShape,
	audit: {
		/** days after which rows are removed */
		retentionDays: z.number().int().min(1).max(36_500).default(365),
		/** records calls that change nothing, too */
		reads: z.boolean().default(false),
	},
	registeredWebhooks: {
		/** allows targets on this host and in private networks */
		allowPrivateTargets: z.boolean().default(false),
		/** milliseconds for one call */
		timeout: webhookSettings.timeout,
		retry: webhookSettings.retry,
	},
};

const knownModules = z.strictObject({
	sync: z.strictObject({ ...toggled, ...ownSettings.sync }).prefault({}),
	sse: z.strictObject({ ...toggled, ...ownSettings.sse }).prefault({}),
	autoAcceptPendingRelationships: z.strictObject(toggled).prefault({}),
	autoDecomposeDeletionProposedRelationships: z.strictObject(toggled).prefault({}),
	coreHttpApi: z.strictObject({ ...onByDefault, ...ownSettings.coreHttpApi }).prefault({}),
	decider: z.strictObject({ ...onByDefault, ...ownSettings.decider }).prefault({}),
	request: z
		.strictObject({
			...alwaysOn,
			/**
			 * extension of this gateway: counts answers by message to templates with a password, which
			 * cannot prove it, as the official gateway does
			 */
			acceptUnprovenAnswers: z.boolean().default(true),
		})
		.prefault({}),
	attributeListener: z.strictObject(alwaysOn).prefault({}),
	notification: z.strictObject(alwaysOn).prefault({}),
	webhooks: z.strictObject({ ...toggled, ...ownSettings.webhooks }).prefault({}),
	/** extension of this gateway: webhooks that clients register over HTTP */
	registeredWebhooks: z
		.strictObject({ ...onByDefault, ...ownSettings.registeredWebhooks })
		.prefault({}),
	/** extension of this gateway: rows about who did what */
	audit: z.strictObject({ ...onByDefault, ...ownSettings.audit }).prefault({}),
	messageBrokerPublisher: z
		.strictObject({ ...toggled, ...ownSettings.messageBrokerPublisher })
		.refine(({ enabled, brokers }) => !enabled || brokers.length > 0, {
			path: ['brokers'],
			message: 'must name at least one broker',
		})
		.prefault({}),
});

/** Settings below `modules` (docs/protocol/http-api.md 11 to 14). */
export const modulesSchema = z.preprocess(withoutUnreadSettings, knownModules);
export type ModulesConfig = z.infer<typeof knownModules>;

/**
 * Skips the values of a module that is switched off, because it may be half configured; only the
 * names of its settings are checked.
 */
function withoutUnreadSettings(modules: unknown): unknown {
	if (!isSettings(modules)) return modules;
	const read = { ...modules };
	for (const [name, shape] of Object.entries(ownSettings)) {
		const module = modules[name];
		if (isSettings(module) && !isRead(name, modules)) read[name] = without(module, shape);
	}
	return read;
}

/** Modules that are on unless they are switched off. */
const readByDefault = new Set(['coreHttpApi', 'decider', 'registeredWebhooks', 'audit']);

function isRead(name: string, modules: Settings): boolean {
	const enabledOf = (one: string): unknown => {
		const module = modules[one];
		return isSettings(module) ? module.enabled : undefined;
	};
	if (readByDefault.has(name)) return enabledOf(name) !== false;
	// The loop of `sse` also uses the interval of `sync`.
	if (name === 'sync' && isOn(enabledOf('sse'))) return true;
	return isOn(enabledOf(name));
}

/**
 * A value that is not a boolean counts as on: the schema refuses it and checks the other settings
 * too.
 */
const isOn = (enabled: unknown): boolean => enabled !== undefined && enabled !== false;
