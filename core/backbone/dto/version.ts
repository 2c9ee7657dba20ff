import * as z from 'zod';

/** `docs/protocol/backbone-api.md` 5: a JSON string; a number works too. */
export const versionSchema = z.object({
	majorVersion: z
		.union([z.string().regex(/^\d{1,6}$/), z.number().int().min(0)])
		.transform((value) => Number(value)),
});
