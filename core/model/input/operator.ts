import * as z from 'zod';
import { addressPatternSchema } from '../address';
import { languageSchema } from '../language';
import { listInput } from './schemas';

const maxRecipients = 100;

export const announcementListInputSchema = z.strictObject({
	/** language code of two letters */
	language: languageSchema,
});
/** Language of the announcements. */
export type ListAnnouncementsInput = z.input<typeof announcementListInputSchema>;

export const notificationInputSchema = z.strictObject({
	/** addresses of connected peers */
	recipients: listInput(z.array(addressPatternSchema).max(maxRecipients)),
	/** code of a text that the operator has configured */
	code: z.string().max(200),
});
/** Text of the operator, and its recipients. */
export type SendBackboneNotificationInput = z.input<typeof notificationInputSchema>;
