import * as z from 'zod';

/** Kinds in the order of comparison: messages require their relationships. */
export const reconciledKinds = [
	'relationships',
	'messages',
	'files',
	'templates',
	'peers',
	'deletionProcesses',
] as const;
export type ReconciledKind = (typeof reconciledKinds)[number];

const countsSchema = z.object({
	/** number of objects in the list of the Backbone, or of stored objects for which it was asked */
	compared: z.number().int(),
	/** number of changes that no event had announced */
	found: z.number().int(),
});

/** Number of messages at the Backbone and in the store. */
const balanceSchema = z.object({ total: z.number().int(), known: z.number().int() });
export type MessageBalance = z.infer<typeof balanceSchema>;

const failureSchema = z.object({ code: z.string(), message: z.string() });

const progressSchema = z.object({
	startedAt: z.string(),
	isFull: z.boolean(),
	kind: z.enum(reconciledKinds),
	/** page of the list, or position in the store; absent at the beginning */
	position: z.number().int().optional(),
	counts: z.object({
		relationships: countsSchema.optional(),
		messages: countsSchema.optional(),
		files: countsSchema.optional(),
		templates: countsSchema.optional(),
		peers: countsSchema.optional(),
		deletionProcesses: countsSchema.optional(),
	}),
	/** counts of messages at the beginning of their comparison */
	balance: balanceSchema.optional(),
	newestAt: z.string().optional(),
	surplus: z.number().int().optional(),
	/** number of messages missing here, including messages in transit */
	absent: z.number().int().optional(),
	/** a file that no list contains was requested */
	isFileAsked: z.literal(true).optional(),
	/** reason for which a kind was skipped */
	failure: failureSchema.optional(),
});
export type ReconciliationProgress = z.infer<typeof progressSchema>;

/** Result of a comparison with the Backbone: numbers compared and found, per kind. */
export const reconciliationDtoSchema = z.object({
	/** ISO time at which the comparison began */
	startedAt: z.string(),
	/** ISO time at which the comparison ended */
	completedAt: z.string(),
	/** true if every list was read from its beginning */
	isFull: z.boolean(),
	/** comparison of the relationships */
	relationships: countsSchema,
	/** comparison of the messages */
	messages: countsSchema,
	/** comparison of the files */
	files: countsSchema,
	/** comparison of the templates */
	templates: countsSchema,
	/** comparison of the deletion processes */
	deletionProcesses: countsSchema,
});
/** Result of a comparison of the account with the lists of the Backbone. */
export type ReconciliationDto = z.infer<typeof reconciliationDtoSchema>;

export const reconciliationStateSchema = z.object({
	/** time of the next comparison */
	dueAt: z.string(),
	isFullWanted: z.literal(true).optional(),
	/**
	 * set if events may have been lost since the current comparison began, so that another one
	 * follows
	 */
	isAgainWanted: z.literal(true).optional(),
	/**
	 * positions in the store up to which objects were requested individually, a few per comparison
	 */
	askedTo: z.object({ files: z.number().int(), peers: z.number().int() }).optional(),
	progress: progressSchema.optional(),
	/**
	 * `surplus`: messages that only the Backbone counts; `comparedTo`: no message is missing up to
	 * this time
	 */
	messages: z.object({ surplus: z.number().int(), comparedTo: z.string().optional() }).optional(),
	last: reconciliationDtoSchema.optional(),
	/** reason for which the latest attempt failed */
	failure: failureSchema.optional(),
});
export type ReconciliationState = z.infer<typeof reconciliationStateSchema>;

/** Options of a requested comparison. */
export const reconcileInputSchema = z.strictObject({
	/** true to read every list from its beginning */
	full: z.boolean().optional(),
});
/** Extent of a comparison. */
export type ReconcileInput = z.input<typeof reconcileInputSchema>;
