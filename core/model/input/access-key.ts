import * as z from 'zod';
import { instantSchema } from '../instant';

/** Longest time in hours for which the text before a rotation stays valid: 30 days. */
const longestOverlapHours = 30 * 24;

const scopeSchema = z
	.string()
	.max(200)
	.regex(
		/^[A-Za-z0-9*]+(:[A-Za-z0-9*]+)*$/,
		"expected a role, or a pattern such as 'core:*' or '**'",
	);

export const createAccessKeySchema = z.strictObject({
	/** name that tells people which program uses the key; unique in the account */
	name: z
		.string()
		.regex(
			/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
			'expected at most 64 letters, digits, dots, dashes and underscores, a letter or digit first',
		),
	/** patterns of the roles that the key has: `*` stands for one segment, `**` for all */
	scopes: z.array(scopeSchema).min(1).max(100),
	/** ISO time from which on the key is refused; absent: never */
	expiresAt: instantSchema.optional(),
});
/** Key to create. */
export type CreateAccessKeyInput = z.input<typeof createAccessKeySchema>;

export const rotateAccessKeySchema = z.strictObject({
	/** hours for which the text before is also accepted; the default is 24, 0 ends it at once */
	overlapHours: z.number().min(0).max(longestOverlapHours).default(24),
	/** ISO time from which on the key is refused; absent: as before */
	expiresAt: instantSchema.optional(),
});
/** How to rotate a key. */
export type RotateAccessKeyInput = z.input<typeof rotateAccessKeySchema>;
