import * as z from 'zod';

/**
 * Rules that decide about requests of peers without a person (docs/protocol/consumption.md 10.2), in
 * order: what a request and its items must be like, and what is decided then.
 */
export const automationConfigSchema = z
	.array(
		z.object({
			/** dotted paths of the request; those that begin with `content.item.` are about its items */
			requestConfig: z.record(z.string().max(1_000), z.unknown()),
			/** a decision about an item (consumption 5.4) */
			responseConfig: z.looseObject({ accept: z.boolean() }),
		}),
	)
	.max(1_000);
export type AutomationConfig = z.infer<typeof automationConfigSchema>;
export type AutomationRule = AutomationConfig[number];
