import * as z from 'zod';
import { addressSchema } from './wire';

/** `docs/protocol/backbone-api.md` 18.3 */
export const sendNotificationBodySchema = z.object({
	recipients: z.array(addressSchema).min(1).max(100),
	/** one of the texts that the operator has configured */
	code: z.string().min(1).max(200),
});
export type SendNotificationBody = z.infer<typeof sendNotificationBodySchema>;
