import * as z from 'zod';
import { openEnumSchema } from '../open-enum';

export const announcementSeveritySchema = openEnumSchema(['Low', 'Medium', 'High']);

/**
 * Announcement of the Backbone's operator; passed through and never stored
 * (docs/protocol/transport.md 12, 16.7).
 */
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
