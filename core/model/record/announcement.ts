import * as z from 'zod';
import { openEnumSchema } from '../open-enum';

export const announcementSeveritySchema = openEnumSchema(['Low', 'Medium', 'High']);

/**
 * Announcement of the Backbone's operator; passed through and never stored
 * (docs/protocol/transport.md 12, 16.7).
 */
export const announcementDtoSchema = z.object({
	/** id at the Backbone */
	id: z.string(),
	/** ISO time of the publication */
	createdAt: z.string(),
	/** ISO time from which on it is no longer shown; absent: it does not expire */
	expiresAt: z.string().optional(),
	/** importance: `Low`, `Medium` or `High` */
	severity: announcementSeveritySchema,
	/** title in the requested language, or in English */
	title: z.string(),
	/** text in the requested language, or in English */
	body: z.string(),
	/** links that the app offers below the text; may be empty */
	actions: z.array(
		z.object({
			/** text of the link */
			displayName: z.string(),
			/** URL of the link */
			link: z.string(),
		}),
	),
});
/** Announcement of the operator, in one language. */
export type AnnouncementDto = z.infer<typeof announcementDtoSchema>;
