import * as z from 'zod';
import { deviceUsernameSchema } from './identity';
import { nameSchema, shownInstantSchema, shownTextSchema } from './wire';

/** `docs/protocol/backbone-api.md` 8 */
export const changePasswordBodySchema = z.object({
	oldPassword: z.string(),
	newPassword: z.string(),
});
export type ChangePasswordBody = z.infer<typeof changePasswordBodySchema>;

export const wireDeviceSchema = z.object({
	id: nameSchema,
	username: deviceUsernameSchema,
	createdAt: shownInstantSchema,
	createdByDevice: shownTextSchema,
	communicationLanguage: shownTextSchema,
	isBackupDevice: z.boolean().nullish().catch(undefined),
});
export type WireDevice = z.infer<typeof wireDeviceSchema>;
