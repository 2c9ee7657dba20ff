import * as z from 'zod';
import type { CreationContentInput } from './contents';
import { judgedLater } from './schemas';

export const createRelationshipInputSchema = z.strictObject({
	/** id of a loaded template of the peer */
	templateId: z.string().min(1).max(100),
	/** answer to the content of the template */
	creationContent: judgedLater<CreationContentInput>(),
});
/** Relationship to request. */
export type CreateRelationshipInput = z.input<typeof createRelationshipInputSchema>;

/** A creation to check; without content, only whether there can be one. */
export const canCreateRelationshipInputSchema = createRelationshipInputSchema.extend({
	/** answer to the content of the template */
	creationContent: judgedLater<CreationContentInput>().optional(),
});
/** Relationship whose creation is checked. */
export type CanCreateRelationshipInput = z.input<typeof canCreateRelationshipInputSchema>;
