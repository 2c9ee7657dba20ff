import * as z from 'zod';
import type { Request } from '../content/requests/requests';
import type { Response } from '../content/requests/responses';
import { objectOf } from '../json';

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
/**
 * Status of a request; requests of this identity have `Draft`, `Open`, `Completed` and `Expired`.
 */
export type RequestStatus = z.infer<typeof requestStatusSchema>;

/* Sources and refused answers are public, and parts of the stored request. */

const requestSourceSchema = z.object({
	/** kind of the object that carries the request */
	type: z.enum(['Message', 'RelationshipTemplate']),
	/** id of the message or template */
	reference: z.string(),
});

const answerSourceSchema = z.object({
	/** kind of the object that brought the answer */
	type: z.enum(['Message', 'Relationship']),
	/** id of the message or relationship */
	reference: z.string(),
});

/** Answer of a peer that does not count; its content stays in the message or relationship. */
export const refusedAnswerSchema = z.object({
	/** ISO time at which the answer was refused */
	refusedAt: z.string(),
	/** message or relationship that brought the answer */
	source: answerSourceSchema,
	/** code of the reason */
	code: z.string(),
	/** reason in words */
	message: z.string(),
});
/** Answer of a peer that does not count. */
export type RefusedPeerAnswer = z.infer<typeof refusedAnswerSchema>;

/** Refused answer with the request that lists it; without one if the peer was asked nothing. */
export const refusalSchema = refusedAnswerSchema.extend({
	/** id of the request that lists the answer; absent if the peer was asked nothing */
	requestId: z.string().optional(),
	/** id of the template whose request was answered */
	templateId: z.string().optional(),
});

/** Request as callers receive it, without internal members. */
export const requestDtoSchema = z.object({
	/** `REQ` id */
	id: z.string(),
	/** true if this identity asks, false if the peer does */
	isOwn: z.boolean(),
	/** address of the other side; empty for the request of an own template before its answer */
	peer: z.string(),
	/** ISO time at which it was created or received */
	createdAt: z.string(),
	/** state of the request (consumption 3.2) */
	status: requestStatusSchema,
	/** Request JSON with its `items` */
	content: objectOf<Request>(),
	/** object that carries the request; absent for a draft */
	source: requestSourceSchema.optional(),
	/** answer; absent while there is none */
	response: z
		.object({
			/** ISO time at which the answer was made or received */
			createdAt: z.string(),
			/** Response JSON with its `items`, in the order of the items of the request */
			content: objectOf<Response>(),
			/** object that brought the answer; absent until it is sent */
			source: answerSourceSchema.optional(),
		})
		.optional(),
	/** own requests only: refused answers of the peer, the newest last */
	refusedAnswers: z.array(refusedAnswerSchema).optional(),
	/** true if a rule of the automation decided; absent if a person did */
	wasAutomaticallyDecided: z.boolean().optional(),
});
/** Request of this identity to a peer, or of a peer to this identity. */
export type RequestDto = z.infer<typeof requestDtoSchema>;

/** @see docs/protocol/consumption.md 3.1 */
export const requestRecordSchema = requestDtoSchema.extend({
	statusLog: z.array(
		z.object({
			createdAt: z.string(),
			oldStatus: requestStatusSchema,
			newStatus: requestStatusSchema,
			code: z.string().optional(),
		}),
	),
	/** id of the message that carries the request (own) or the response (of a peer) */
	sendIntentId: z.string().optional(),
	/** files whose ownership was claimed for an acceptance that may not have completed */
	claimedFiles: z.array(z.string()).optional(),
});
export type RequestRecord = z.infer<typeof requestRecordSchema>;

/** Time until which a request can proceed; undefined if it has ended or is decided. */
export function openUntil({ status, content }: RequestRecord): string | undefined {
	const { expiresAt } = content;
	if (status === 'Completed' || status === 'Expired' || status === 'Decided') return undefined;
	return typeof expiresAt === 'string' ? expiresAt : undefined;
}

/** @see docs/protocol/consumption.md 13 */
export const requestStatusChangeSchema = z.object({
	/** request in its new state */
	request: requestDtoSchema,
	/** status before */
	oldStatus: requestStatusSchema,
	/** status after */
	newStatus: requestStatusSchema,
});
