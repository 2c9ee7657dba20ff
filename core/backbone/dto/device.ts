import * as z from 'zod';
import { deviceUsernameSchema } from './identity';
import { idSchema, instantSchema } from './wire';

/** `docs/protocol/backbone-api.md` 8 */
export const changePasswordBodySchema = z.object({
	oldPassword: z.string(),
	newPassword: z.string(),
});
export type ChangePasswordBody = z.infer<typeof changePasswordBodySchema>;

export const wireDeviceSchema = z.object({
	id: idSchema('DVC'),
	username: deviceUsernameSchema,
	createdAt: instantSchema,
	createdByDevice: idSchema('DVC').nullish(),
	communicationLanguage: z.string().max(20).nullish(),
	isBackupDevice: z.boolean().nullish(),
});
export type WireDevice = z.infer<typeof wireDeviceSchema>;
