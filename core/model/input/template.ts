import * as z from 'zod';
import { addressPatternSchema } from '../address';
import { instantSchema } from '../instant';
import type { PasswordProtectionInput } from '../password-protection';
import type { TemplateContentInput } from './contents';
import { judgedLater } from './schemas';

/** Input of a caller who creates a template (docs/protocol/http-api.md 8.12). */
export const createTemplateInputSchema = z.strictObject({
	/** content with `@type` */
	content: judgedLater<TemplateContentInput>(),
	/** ISO time until which the template can be used */
	expiresAt: instantSchema,
	/** number of identities that may load the template; absent: no limit */
	maxNumberOfAllocations: z.number().int().min(1).optional(),
	/** address that alone may load the template; absent: each holder of the reference may */
	forIdentity: addressPatternSchema.optional(),
	/** validated by a separate reader, which throws the exact codes */
	passwordProtection: z.custom<PasswordProtectionInput>().optional(),
});
/** Template to create. */
export type CreateTemplateInput = z.input<typeof createTemplateInputSchema>;
