import * as z from 'zod';
import { announcementSeveritySchema } from '../../model/record/announcement';
import { instantSchema, shownInstantSchema } from './wire';

/**
 * `docs/protocol/backbone-api.md` 18.2. The operator's words are passed through and never stored: the bound
 * of the whole answer is theirs.
 */
export const wireAnnouncementSchema = z.object({
	id: z.string(),
	createdAt: instantSchema,
	expiresAt: shownInstantSchema,
	severity: announcementSeveritySchema,
	title: z.string(),
	body: z.string(),
	actions: z
		.array(z.object({ displayName: z.string(), link: z.string() }))
		.nullish()
		.transform((actions) => actions ?? []),
});
export type WireAnnouncement = z.infer<typeof wireAnnouncementSchema>;
