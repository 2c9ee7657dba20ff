import * as z from 'zod';
import { retryStateSchema } from './retry-state';

/**
 * Requested change of a file, token or template: committed before the Backbone is called and
 * removed with its outcome. An intent found later means that the outcome has to be looked up.
 */
export const objectIntentSchema = z.object({
	/** id of the object, which allows one change at a time */
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
