import * as z from 'zod';
import { openEnumSchema } from '../open-enum';

export const announcementSeveritySchema = openEnumSchema(['Low', 'Medium', 'High']);

/** What the operator of the Backbone has to say; passed through, never stored (transport 12, 16.7). */
export const announcementDtoSchema = z.object({
	id: z.string(),
	createdAt: z.string(),
	expiresAt: z.string().optional(),
	severity: announcementSeveritySchema,
	title: z.string(),
	body: z.string(),
	actions: z.array(z.object({ displayName: z.string(), link: z.string() })),
});
export type AnnouncementDto = z.infer<typeof announcementDtoSchema>;
