import * as z from 'zod';
import { writeBase64Form } from '../../crypto/wire-json';
import type { JsonObject } from '../../model/json';
import type { DeviceOnboardingInfoDto } from '../../model/record/loaded-item';
import { readEnvelopeValue, shortText } from '../envelope/envelope-content';

const key = z.string().max(200);
const secretKey = z.object({ key, alg: z.literal(3) }).transform((value) => writeBase64Form(value));
const publicKey = z
	.object({ pub: key, alg: z.literal(3) })
	.transform((value) => writeBase64Form(value));
const privateKey = z
	.object({ prv: key, alg: z.literal(3) })
	.transform((value) => writeBase64Form(value));

const sharedSecretSchema = z.object({
	id: shortText,
	createdAt: shortText,
	createdByDevice: shortText,
	name: shortText.exactOptional(),
	description: shortText.exactOptional(),
	profileName: shortText.exactOptional(),
	secretBaseKey: secretKey,
	deviceIndex: z.int().min(0),
	synchronizationKey: secretKey,
	identityPrivateKey: privateKey.exactOptional(),
	identity: z.object({ address: shortText, publicKey }),
	password: shortText,
	username: shortText,
	isBackupDevice: z.boolean().default(false),
});

/**
 * Reads the data for a new device, for display only: an account of this gateway never becomes the
 * second device of another identity.
 *
 * @throws `error.runtime.requestDeserialization`
 * @see docs/protocol/transport.md 9, 16.6
 */
export function readDeviceOnboarding(content: JsonObject): DeviceOnboardingInfoDto {
	const shared = content['sharedSecret'];
	const what = 'a token for a new device';
	return readEnvelopeValue(shared, sharedSecretSchema, what);
}
