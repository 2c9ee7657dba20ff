import * as z from 'zod';

/** In the order in which they are compared: messages need their relationships. */
export const reconciledKinds = [
	'relationships',
	'messages',
	'files',
	'templates',
	'peers',
	'deletionProcesses',
] as const;
export type ReconciledKind = (typeof reconciledKinds)[number];

const countsSchema = z.object({ compared: z.number().int(), found: z.number().int() });

/** Messages at the Backbone, and here. */
const balanceSchema = z.object({ total: z.number().int(), known: z.number().int() });
export type MessageBalance = z.infer<typeof balanceSchema>;

const failureSchema = z.object({ code: z.string(), message: z.string() });

const progressSchema = z.object({
	startedAt: z.string(),
	isFull: z.boolean(),
	kind: z.enum(reconciledKinds),
	/** page of the list, or position in the store; absent: from the beginning */
	position: z.number().int().optional(),
	counts: z.object({
		relationships: countsSchema.optional(),
		messages: countsSchema.optional(),
		files: countsSchema.optional(),
		templates: countsSchema.optional(),
		peers: countsSchema.optional(),
		deletionProcesses: countsSchema.optional(),
	}),
	/** of messages, when their comparison began */
	balance: balanceSchema.optional(),
	newestAt: z.string().optional(),
	surplus: z.number().int().optional(),
	/** messages that are missing here, those on their way included */
	absent: z.number().int().optional(),
	/** a file that no list shows was asked for */
	isFileAsked: z.literal(true).optional(),
	/** why a kind was left out */
	failure: failureSchema.optional(),
});
export type ReconciliationProgress = z.infer<typeof progressSchema>;

/** What a comparison with the Backbone has shown: per kind how many were compared and found. */
export const reconciliationDtoSchema = z.object({
	startedAt: z.string(),
	completedAt: z.string(),
	/** from the beginning of every list */
	isFull: z.boolean(),
	relationships: countsSchema,
	messages: countsSchema,
	files: countsSchema,
	templates: countsSchema,
	deletionProcesses: countsSchema,
});
export type ReconciliationDto = z.infer<typeof reconciliationDtoSchema>;

export const reconciliationStateSchema = z.object({
	/** when the next one is to be done */
	dueAt: z.string(),
	isFullWanted: z.literal(true).optional(),
	/** events may have been lost since the one that is under way was begun: another follows */
	isAgainWanted: z.literal(true).optional(),
	/** positions in the store up to which objects were asked for one by one, a few with each comparison */
	askedTo: z.object({ files: z.number().int(), peers: z.number().int() }).optional(),
	progress: progressSchema.optional(),
	/** `surplus`: messages that only the Backbone counts; `comparedTo`: none is missing up to here */
	messages: z.object({ surplus: z.number().int(), comparedTo: z.string().optional() }).optional(),
	last: reconciliationDtoSchema.optional(),
	/** why the newest try was not finished */
	failure: failureSchema.optional(),
});
export type ReconciliationState = z.infer<typeof reconciliationStateSchema>;

/** Of an order to compare. */
export const reconcileInputSchema = z.strictObject({ full: z.boolean().optional() });
