import * as z from 'zod';
import { retryStateSchema } from './retry-state';

/**
 * A change of a file, token or template that the Backbone was asked for: committed before the call and removed
 * with its outcome. Found later, it says that the outcome has to be asked for.
 */
export const objectIntentSchema = z.object({
	/** of the object: one change at a time */
	id: z.string(),
	action: z.enum([
		'claimFile',
		'regenerateFileToken',
		'deleteFile',
		'deleteToken',
		'deleteTemplate',
	]),
	createdAt: z.string(),
	retry: retryStateSchema.optional(),
});
export type ObjectIntent = z.infer<typeof objectIntentSchema>;
