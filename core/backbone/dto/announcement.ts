import * as z from 'zod';
import { announcementSeveritySchema } from '../../model/record/announcement';
import { instantSchema, nameSchema, optionalInstantSchema } from './wire';

/** `docs/protocol/backbone-api.md` 18.2. The operator's words: plain text from outside. */
export const wireAnnouncementSchema = z.object({
	id: nameSchema,
	createdAt: instantSchema,
	expiresAt: optionalInstantSchema,
	severity: announcementSeveritySchema,
	title: z.string().max(10_000),
	body: z.string().max(100_000),
	actions: z
		.array(z.object({ displayName: z.string().max(1_000), link: z.string().max(10_000) }))
		.max(100)
		.nullish()
		.transform((actions) => actions ?? []),
});
export type WireAnnouncement = z.infer<typeof wireAnnouncementSchema>;
