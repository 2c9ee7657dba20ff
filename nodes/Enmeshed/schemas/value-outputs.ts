import { z } from 'zod';

/** Values by attribute type. Types that forms offer are listed, so that the preview shows them. */
export const sharedAttributesSchema = z
	.object({
		DisplayName: z.string().optional(),
		EMailAddress: z.string().optional(),
		GivenName: z.string().optional(),
		Surname: z.string().optional(),
	})
	.catchall(z.unknown());

/** Values by what the request asks for. Frequent names are listed for the preview. */
export const answersSchema = z
	.object({
		EMailAddress: z.string().nullish(),
		GivenName: z.string().nullish(),
		Surname: z.string().nullish(),
	})
	.catchall(z.unknown());
