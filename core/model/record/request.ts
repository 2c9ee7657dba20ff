import * as z from 'zod';
import { jsonObjectSchema } from '../json';
import { retryStateSchema } from './retry-state';

export const requestStatuses = [
	'Draft',
	'Open',
	'DecisionRequired',
	'ManualDecisionRequired',
	'Decided',
	'Completed',
	'Expired',
] as const;
const requestStatusSchema = z.enum(requestStatuses);
export type RequestStatus = z.infer<typeof requestStatusSchema>;

/** @see docs/protocol/consumption.md 3.1 */
export const requestRecordSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	peer: z.string(),
	createdAt: z.string(),
	status: requestStatusSchema,
	content: jsonObjectSchema,
	source: z
		.object({ type: z.enum(['Message', 'RelationshipTemplate']), reference: z.string() })
		.optional(),
	response: z
		.object({
			createdAt: z.string(),
			content: jsonObjectSchema,
			source: z
				.object({ type: z.enum(['Message', 'Relationship']), reference: z.string() })
				.optional(),
		})
		.optional(),
	wasAutomaticallyDecided: z.boolean().optional(),
	statusLog: z.array(
		z.object({
			createdAt: z.string(),
			oldStatus: requestStatusSchema,
			newStatus: requestStatusSchema,
			code: z.string().optional(),
		}),
	),
	/**
	 * Work left for this gateway, which the next sync completes if this process ends: apply the rules
	 * of the automation, or deliver the response to the peer.
	 */
	pending: z.enum(['automation', 'delivery']).optional(),
	/** id of the message that carries the request (own) or the response (of a peer) */
	sendIntentId: z.string().optional(),
	/** failed attempts at the pending work */
	retry: retryStateSchema.optional(),
	/** reason for which the response cannot be delivered; there are no automatic retries */
	deliveryFailure: z
		.object({ code: z.string(), message: z.string(), at: z.string().optional() })
		.optional(),
	/** files whose ownership was claimed for an acceptance that may not have completed */
	claimedFiles: z.array(z.string()).optional(),
});
export type RequestRecord = z.infer<typeof requestRecordSchema>;

/**
 * Time until which a request can proceed; undefined if it has ended or its response is being
 * delivered.
 */
export function openUntil({ status, content, pending }: RequestRecord): string | undefined {
	const { expiresAt } = content;
	if (status === 'Completed' || status === 'Expired' || pending === 'delivery') return undefined;
	return typeof expiresAt === 'string' ? expiresAt : undefined;
}

/** Request as callers receive it, without internal members. */
export const requestDtoSchema = requestRecordSchema.omit({
	statusLog: true,
	pending: true,
	retry: true,
	sendIntentId: true,
	deliveryFailure: true,
	claimedFiles: true,
});
export type RequestDto = z.infer<typeof requestDtoSchema>;

/** @see docs/protocol/consumption.md 13 */
export const requestStatusChangeSchema = z.object({
	request: requestDtoSchema,
	oldStatus: requestStatusSchema,
	newStatus: requestStatusSchema,
});
