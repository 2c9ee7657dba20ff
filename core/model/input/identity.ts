import * as z from 'zod';

/** ten years: a longer period is more likely a typing error than an intention */
const longestGracePeriodInDays = 3_650;
const outOfRange = `expected from 0 to ${longestGracePeriodInDays} days`;

export const initiateInputSchema = z.strictObject({
	/** fractions are allowed; the Backbone's default is 14, and it validates nothing */
	lengthOfGracePeriodInDays: z
		.number()
		.min(0, outOfRange)
		.max(longestGracePeriodInDays, outOfRange)
		.optional(),
});
/** Options of the deletion of this identity. */
export type InitiateDeletionInput = z.input<typeof initiateInputSchema>;
