import * as z from 'zod';
import { instantSchema, optionalInstantSchema } from './wire';

export const announcementSeverities = ['Low', 'Medium', 'High'] as const;

/** `docs/protocol/backbone-api.md` 18.2. The operator's words: plain text from outside. */
export const wireAnnouncementSchema = z.object({
	id: z.string().min(1).max(100),
	createdAt: instantSchema,
	expiresAt: optionalInstantSchema,
	severity: z.enum(announcementSeverities),
	title: z.string().max(10_000),
	body: z.string().max(100_000),
	/** says for whom it is meant, in the query language of the protocol */
	iqlQuery: z.string().max(10_000).nullish(),
	actions: z
		.array(z.object({ displayName: z.string().max(1_000), link: z.string().max(10_000) }))
		.max(100)
		.nullish()
		.transform((actions) => actions ?? []),
});
export type WireAnnouncement = z.infer<typeof wireAnnouncementSchema>;

export const wireAnnouncementsSchema = z.array(wireAnnouncementSchema).max(1_000);
