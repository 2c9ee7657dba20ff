import * as z from 'zod';
import { jsonObjectSchema } from '../json';

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
});
export type RequestRecord = z.infer<typeof requestRecordSchema>;

/** What callers see: without the internal log. */
export const requestDtoSchema = requestRecordSchema.omit({ statusLog: true });
export type RequestDto = z.infer<typeof requestDtoSchema>;
