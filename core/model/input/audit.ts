import * as z from 'zod';
import { instantSchema } from '../instant';

const text = z.string().max(200);

export const auditQuerySchema = z.strictObject({
	/** number of the row after which the page begins; absent: from the first kept one */
	after: z.int().min(0).optional(),
	/** greatest number of rows; the default is 200 */
	limit: z.int().min(1).max(1_000).default(200),
	/** name or id of the key, person or program that made the calls */
	actor: text.optional(),
	/** pattern of the route, for example `/Messages/:id` */
	route: text.optional(),
	/** id of the record that the calls were about, or address of the person */
	object: z.string().max(400).optional(),
	/** ISO time of the first rows */
	from: instantSchema.optional(),
	/** ISO time from which on rows are left out */
	to: instantSchema.optional(),
});
/** Which rows of the audit a page has. */
export type AuditQueryInput = z.input<typeof auditQuerySchema>;

export const auditVerificationSchema = z.strictObject({
	/** number and hash of a row, as `head` has given them earlier: `<number>:<hash>` */
	head: z
		.string()
		.regex(/^\d{1,15}:[\w-]{43}$/, "expected '<number>:<hash>', as 'audit head' prints it")
		.optional(),
});
/** What the audit is compared with. */
export type AuditVerificationInput = z.input<typeof auditVerificationSchema>;
