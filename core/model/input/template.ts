import * as z from 'zod';
import { addressPatternSchema } from '../address';
import { instantSchema } from '../instant';
import type { PasswordProtectionInput } from '../password-protection';
import type { TemplateContentInput } from './contents';
import { judgedLater } from './schemas';

const purposeRule = 'must have 1 to 100 characters, none of them a control character';

/** Text by which onboardings of one account are told apart; it is counted in Unicode characters. */
export const purposeSchema = z.string(purposeRule).regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, purposeRule);

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
	/**
	 * what the template is for, for example `newsletter`: 1 to 100 characters without control
	 * characters. It stays in this account, whose events, contacts and lists can be filtered by it.
	 */
	purpose: purposeSchema.optional(),
	/** validated by a separate reader, which throws the exact codes */
	passwordProtection: z.custom<PasswordProtectionInput>().optional(),
});
/** Template to create. */
export type CreateTemplateInput = z.input<typeof createTemplateInputSchema>;
