import * as z from 'zod';

/** Both forms of a reference, as callers receive them. */
export const referenceDtoSchema = z.object({
	/** short form, which programs pass on */
	truncated: z.string(),
	/** link that opens the app of a person, for QR codes and pages */
	url: z.string(),
});
