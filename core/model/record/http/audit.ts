import * as z from 'zod';

/** Who made a call over HTTP. */
export const auditActorSchema = z.object({
	/**
	 * `key` of a program, `token` of a provider, `person` who is signed in, `program` of this gateway,
	 * or `unknown` for a refused client
	 */
	kind: z.enum(['key', 'token', 'person', 'program', 'unknown']),
	/** id of a key that the account has stored */
	id: z.string().optional(),
	/** name of the key or the person, or subject of the token; never a secret */
	name: z.string(),
});
/** Who made a call over HTTP. */
export type AuditActor = z.infer<typeof auditActorSchema>;

const described = {
	/** name of the account in the gateway */
	account: z.string(),
	/** who made the call */
	actor: auditActorSchema,
	/** HTTP method */
	method: z.string(),
	/** pattern of the route, without anything that the client wrote */
	route: z.string(),
	/** id in the path, or of the record that the call created; a keyed hash stands for an address */
	object: z.string().optional(),
	/** status of the answer; absent in the row that is written before a change */
	status: z.int().optional(),
	/** code of the error */
	code: z.string().optional(),
	/** correlation id of the call, which its log lines have, too */
	correlationId: z.string().optional(),
	/** number of the row that was written before the change */
	begunAs: z.int().optional(),
	/** true if the answer to a repeated call was given again, and nothing was changed */
	isRepeated: z.boolean().optional(),
	/** address of a refused client; of IPv6 the network */
	address: z.string().optional(),
	/** number of further refusals like this one; absent: the row is about one call */
	times: z.int().optional(),
};

export const newAuditEntrySchema = z.object(described);
/** Row to append to the audit. */
export type NewAuditEntry = z.infer<typeof newAuditEntrySchema>;

/** Row of the audit, whose id is its number. */
export const auditEntryRecordSchema = z.object({
	id: z.string(),
	at: z.string(),
	...described,
	/** keyed hash over this row and the hash before it (docs/adr/0051) */
	mac: z.string(),
});
export type AuditEntryRecord = z.infer<typeof auditEntryRecordSchema>;

/** The one record that seals the ends of the audit. */
export const auditChainRecordSchema = z.object({ id: z.string() });
export type AuditChainRecord = z.infer<typeof auditChainRecordSchema>;

export const auditChainSecretsSchema = z.object({
	/** key of the hashes in base64url */
	key: z.string(),
	/** first row that is kept, and the hash before it */
	first: z.object({ number: z.int(), before: z.string() }),
	/** number of the newest row, and its hash; before the first row 0 and an empty text */
	newest: z.object({ number: z.int(), mac: z.string() }),
});
export type AuditChainSecrets = z.infer<typeof auditChainSecretsSchema>;

export const auditEntryDtoSchema = z.object({
	/** number of the row: 1, 2, … without gaps */
	number: z.int(),
	/** ISO time at which the row was written */
	at: z.string(),
	...described,
	/** keyed hash over this row and the hash before it */
	mac: z.string(),
});
/** Row of the audit: who did what, with which result. */
export type AuditEntryDto = z.infer<typeof auditEntryDtoSchema>;

export const auditPageDtoSchema = z.object({
	/** rows that fit, the oldest first */
	entries: z.array(auditEntryDtoSchema),
	/** number of the last row that was looked at, after which the next page begins */
	position: z.int(),
	/** true if there are rows after the position */
	hasMore: z.boolean(),
});
/** Page of the audit. */
export type AuditPageDto = z.infer<typeof auditPageDtoSchema>;

export const auditHeadDtoSchema = z.object({
	/** number of the row */
	number: z.int(),
	/** its keyed hash */
	mac: z.string(),
});
/** Number and hash of a row, to be kept out of reach of all who can change the store. */
export type AuditHeadDto = z.infer<typeof auditHeadDtoSchema>;

export const auditFindingDtoSchema = z.object({
	/**
	 * `missing` rows, `changed` rows, rows that are `unchecked` because the row before is missing,
	 * `foreign` rows outside the audit, a `newest` row other than the sealed one, no `chain` (nothing
	 * was recorded, or all of it was removed), or a `givenHead` (or a row that this
	 * process has written) that does not belong to this audit
	 */
	kind: z.enum(['missing', 'changed', 'unchecked', 'foreign', 'newest', 'chain', 'givenHead']),
	/** number of the first row that the finding is about */
	from: z.int(),
	/** number of the last one */
	to: z.int(),
	/** number of foreign rows */
	count: z.int().optional(),
});
/** Something that a verification of the audit has found. */
export type AuditFindingDto = z.infer<typeof auditFindingDtoSchema>;

export const auditVerificationDtoSchema = z.object({
	/** true if nothing was found */
	isIntact: z.boolean(),
	/** number of rows that were looked at */
	checked: z.int(),
	/** number of the first row that is kept; absent without an audit */
	first: z.int().optional(),
	/** number and hash of the newest row; absent without an audit */
	newest: auditHeadDtoSchema.optional(),
	/** what was found, in the order of the rows; at most 1,000 */
	findings: z.array(auditFindingDtoSchema),
});
/** Result of a verification of the audit. */
export type AuditVerificationDto = z.infer<typeof auditVerificationDtoSchema>;
