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

/** consumption 3.1 */
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
	 * What is left to do by ourselves, and is done by the next sync when this process dies: the rules of
	 * the automation are to be asked, or the response is to be brought to the peer.
	 */
	pending: z.enum(['automation', 'delivery']).optional(),
	/** of the message that carries the request (own) or the response (of a peer) */
	sendIntentId: z.string().optional(),
	/** failed tries of what is pending */
	retry: retryStateSchema.optional(),
	/** why the response cannot be brought to the peer; nobody tries again by itself */
	deliveryFailure: z
		.object({ code: z.string(), message: z.string(), at: z.string().optional() })
		.optional(),
	/** files that were taken over for an acceptance that may not have come to its end */
	claimedFiles: z.array(z.string()).optional(),
});
export type RequestRecord = z.infer<typeof requestRecordSchema>;

/** Until when a request can go on; undefined when it has ended, or its answer is on its way. */
export function openUntil({ status, content, pending }: RequestRecord): string | undefined {
	const { expiresAt } = content;
	if (status === 'Completed' || status === 'Expired' || pending === 'delivery') return undefined;
	return typeof expiresAt === 'string' ? expiresAt : undefined;
}

/** What callers see: without what is only for us. */
export const requestDtoSchema = requestRecordSchema.omit({
	statusLog: true,
	pending: true,
	retry: true,
	sendIntentId: true,
	deliveryFailure: true,
	claimedFiles: true,
});
export type RequestDto = z.infer<typeof requestDtoSchema>;

/** consumption 13 */
export const requestStatusChangeSchema = z.object({
	request: requestDtoSchema,
	oldStatus: requestStatusSchema,
	newStatus: requestStatusSchema,
});
