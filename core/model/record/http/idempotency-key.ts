import * as z from 'zod';

const createdRecordSchema = z.object({
	/** collection of the record */
	collection: z.string(),
	/** id of the record */
	id: z.string(),
});
/** Record that a call has created. */
export type CreatedRecord = z.infer<typeof createdRecordSchema>;

/** Call that a client may repeat under the same idempotency key (docs/adr/0049). */
export const idempotencyKeyRecordSchema = z.object({
	/** hash of the caller and its key */
	id: z.string(),
	/** hash of the request, by which another request under the same key is recognised */
	fingerprint: z.string(),
	createdAt: z.string(),
	/**
	 * process that runs the call, in the notation of leases, and the end of its right by the store's
	 * clock; absent when the call has ended
	 */
	claim: z.object({ by: z.string(), until: z.string() }).optional(),
	/** records that the call has created so far, noted in the transactions that created them */
	created: z.array(createdRecordSchema).optional(),
	/** true once the answer is known */
	isAnswered: z.boolean(),
});
export type IdempotencyKeyRecord = z.infer<typeof idempotencyKeyRecordSchema>;

const storedAnswerSchema = z.object({
	/** status of HTTP */
	status: z.int(),
	/** headers by name */
	headers: z.record(z.string(), z.string()),
	/** body in Base64 */
	body: z.string(),
});
/** Answer that a repetition gets again. */
export type StoredAnswer = z.infer<typeof storedAnswerSchema>;

export const idempotencyKeySecretsSchema = z.object({
	/** absent while the call runs */
	answer: storedAnswerSchema.optional(),
});
export type IdempotencyKeySecrets = z.infer<typeof idempotencyKeySecretsSchema>;
