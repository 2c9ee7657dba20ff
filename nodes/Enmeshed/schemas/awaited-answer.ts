import { z } from 'zod';
import { answersSchema } from './value-outputs';

/** Answer of a person for whom an execution has waited, or the reason why there is none. */
export const awaitedAnswerOutputSchema = z.object({
	/** what depends on the kind of question: the decision, or the text */
	data: z
		.object({
			approved: z.boolean().optional(),
			choice: z.string().nullish(),
			text: z.string().nullish(),
			respondedAt: z.string().optional(),
		})
		.optional(),
	answered: z.boolean(),
	timedOut: z.boolean(),
	reason: z
		.enum(['peerLeft', 'peerDeleted', 'notSent', 'templateDeleted', 'notNeeded', 'notEnough'])
		.optional(),
	/** why a person of several could not be asked */
	error: z.string().optional(),
	result: z.string().optional(),
	/** what the person has written about a rejection */
	comment: z.string().optional(),
	answers: answersSchema.optional(),
	response: z.record(z.string(), z.unknown()).optional(),
	subject: z.string().optional(),
	body: z.string().optional(),
	bodyFormat: z.string().optional(),
	attachments: z.array(z.string()).optional(),
	peer: z.string().optional(),
	peerName: z.string().optional(),
	requestId: z.string().optional(),
	messageId: z.string().optional(),
	templateId: z.string().optional(),
	relationshipId: z.string().optional(),
	relationshipStatus: z.string().optional(),
	isNewRelationship: z.boolean().optional(),
	/** how several people have answered together */
	group: z
		.object({
			asked: z.number(),
			answered: z.number(),
			approved: z.number(),
			declined: z.number(),
			/** number of people by choice */
			choices: z.record(z.string(), z.number()).optional(),
			/** `approved`, `declined` or the choice of more than half of all; null without one */
			decision: z.string().nullable(),
		})
		.optional(),
});
export type AwaitedAnswerOutput = z.infer<typeof awaitedAnswerOutputSchema>;

/** Answer on the page of a trigger. */
export const pageAnswerOutputSchema = z.object({
	/** of the event of the answer; absent in a manual test */
	id: z.string().optional(),
	...awaitedAnswerOutputSchema.omit({
		...{ data: true, reason: true, error: true, group: true },
		...{ subject: true, body: true, bodyFormat: true, attachments: true, messageId: true },
	}).shape,
	/** parameters with which the visitor has opened the page */
	visitor: z.record(z.string(), z.string()),
});
