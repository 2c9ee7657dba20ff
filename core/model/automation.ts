import * as z from 'zod';

/**
 * Rules that answer requests of peers automatically (docs/protocol/consumption.md 10.2; in version
 * 7: docs/protocol/generation-7.md 12), in order: a condition on the request and its items, and the
 * decision.
 */
export const automationConfigSchema = z
	.array(
		z.object({
			/** dotted paths of the request; paths that begin with `content.item.` refer to its items */
			requestConfig: z.record(z.string().max(1_000), z.unknown()),
			/** decision about an item (docs/protocol/consumption.md 5.4) */
			responseConfig: z.looseObject({
				/** true to accept, false to reject */
				accept: z.boolean(),
			}),
		}),
	)
	.max(1_000);
/** Rules that answer requests of peers automatically; the first that fits decides. */
export type AutomationConfig = z.infer<typeof automationConfigSchema>;
export type AutomationRule = AutomationConfig[number];
