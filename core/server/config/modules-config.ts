import * as z from 'zod';
import { brokersShape } from '../../brokers';
import { automationConfigSchema } from '../../model/automation';
import { webhookSettings } from '../../webhooks';

/** What each module may be told besides; modules of other names do not exist here. */
const toggled = {
	enabled: z.boolean().default(false),
	displayName: z.string().optional(),
	location: z.string().optional(),
	requiredInfrastructure: z.array(z.string()).optional(),
};
const alwaysOn = { ...toggled, enabled: z.literal(true).default(true) };

/** Settings below `modules` (docs/protocol/http-api.md 11 to 14). */
export const modulesSchema = z.strictObject({
	sync: z
		.strictObject({ ...toggled, interval: z.number().min(1).max(86_400).default(60) })
		.prefault({}),
	sse: z
		.strictObject({
			...toggled,
			/** of the push service where it is not behind the Backbone's address */
			baseUrlOverride: z
				.string()
				.regex(/^https?:\/\//, "must begin with 'http://' or 'https://'")
				.optional(),
		})
		.prefault({}),
	autoAcceptPendingRelationships: z.strictObject(toggled).prefault({}),
	autoDecomposeDeletionProposedRelationships: z.strictObject(toggled).prefault({}),
	coreHttpApi: z
		.strictObject({
			...alwaysOn,
			docs: z
				.strictObject({
					enabled: z.boolean().default(true),
					rapidoc: z.strictObject({ persistAuth: z.boolean().default(false) }).prefault({}),
				})
				.prefault({}),
		})
		.prefault({}),
	decider: z
		.strictObject({ ...alwaysOn, automationConfig: automationConfigSchema.default([]) })
		.prefault({}),
	request: z.strictObject(alwaysOn).prefault({}),
	attributeListener: z.strictObject(alwaysOn).prefault({}),
	notification: z.strictObject(alwaysOn).prefault({}),
	webhooks: z.strictObject({ ...toggled, ...webhookSettings }).prefault({}),
	messageBrokerPublisher: z
		.strictObject({ ...toggled, ...brokersShape })
		.refine(({ enabled, brokers }) => !enabled || brokers.length > 0, {
			path: ['brokers'],
			message: 'must name at least one broker',
		})
		.prefault({}),
});
export type ModulesConfig = z.infer<typeof modulesSchema>;
