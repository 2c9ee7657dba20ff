import * as z from 'zod';
import { announcementSeveritySchema } from '../../model/record/announcement';
import { addressSchema, instantSchema, shownInstantSchema } from './wire';

/**
 * `docs/protocol/backbone-api.md` 18.2. Texts of the operator are passed on and never stored, so
 * the limit of the whole answer is their only bound.
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

/** `docs/protocol/backbone-api.md` 18.3 */
export const sendNotificationBodySchema = z.object({
	recipients: z.array(addressSchema).min(1).max(100),
	/** name of a text that the operator has configured */
	code: z.string().min(1).max(200),
});
export type SendNotificationBody = z.infer<typeof sendNotificationBodySchema>;
