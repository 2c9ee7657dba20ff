import * as z from 'zod';
import { signedChallengeSchema } from './challenge';
import { addressSchema, bytesSchema, idSchema, instantSchema, optionalInstantSchema } from './wire';

/** `docs/protocol/backbone-api.md` 7.1 */
export const createIdentityBodySchema = z.object({
	clientId: z.string(),
	clientSecret: z.string(),
	/** base64url of `{"pub","alg":3,"@type":"CryptoSignaturePublicKey"}` */
	identityPublicKey: bytesSchema(1, 1_000),
	devicePassword: z.string(),
	identityVersion: z.number().int().min(0).max(255),
	signedChallenge: signedChallengeSchema,
	deviceCommunicationLanguage: z.string().max(10).nullish(),
});
export type CreateIdentityBody = z.infer<typeof createIdentityBodySchema>;

export const deviceUsernameSchema = z.string().min(1).max(100);

export const createdIdentitySchema = z.object({
	address: addressSchema,
	createdAt: instantSchema,
	device: z.object({
		id: idSchema('DVC'),
		username: deviceUsernameSchema,
		createdAt: optionalInstantSchema,
	}),
});
export type CreatedIdentity = z.infer<typeof createdIdentitySchema>;

export const identityDeletionStateSchema = z.object({
	isDeleted: z.boolean(),
	deletionDate: optionalInstantSchema,
});
export type IdentityDeletionState = z.infer<typeof identityDeletionStateSchema>;

/** `docs/protocol/backbone-api.md` 7.2 */
export const wireIdentitySchema = z.object({
	address: addressSchema,
	createdAt: optionalInstantSchema,
	identityVersion: z.number().int().nullish(),
	tierId: z.string().max(100).nullish(),
	status: z.enum(['Active', 'ToBeDeleted', 'Deleting']).nullish(),
	deletionGracePeriodEndsAt: optionalInstantSchema,
});
export type WireIdentity = z.infer<typeof wireIdentitySchema>;

/** `docs/protocol/backbone-api.md` 7.2: at most 200 flags with names of at most 200 characters. */
export const featureFlagsSchema = z
	.record(z.string().max(200), z.boolean())
	.refine((flags) => Object.keys(flags).length <= 1_000, 'too many flags');
export type FeatureFlags = z.infer<typeof featureFlagsSchema>;
