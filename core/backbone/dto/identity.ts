import * as z from 'zod';
import { signedChallengeSchema } from './challenge';
import {
	addressSchema,
	bytesSchema,
	instantSchema,
	nameSchema,
	shownInstantSchema,
	shownTextSchema,
} from './wire';

/** `docs/protocol/backbone-api.md` 7.1 */
export const createIdentityBodySchema = z.object({
	clientId: z.string(),
	clientSecret: z.string(),
	/** base64url of `{"pub","alg":3,"@type":"CryptoSignaturePublicKey"}` */
	identityPublicKey: bytesSchema(1),
	devicePassword: z.string(),
	identityVersion: z.number().int().min(0).max(255),
	signedChallenge: signedChallengeSchema,
	deviceCommunicationLanguage: z.string().max(10).nullish(),
});
export type CreateIdentityBody = z.infer<typeof createIdentityBodySchema>;

export const deviceUsernameSchema = nameSchema;

export const createdIdentitySchema = z.object({
	address: addressSchema,
	createdAt: instantSchema,
	device: z.object({
		id: nameSchema,
		username: deviceUsernameSchema,
		createdAt: shownInstantSchema,
	}),
});
export type CreatedIdentity = z.infer<typeof createdIdentitySchema>;

export const identityDeletionStateSchema = z.object({
	isDeleted: z.boolean(),
	deletionDate: shownInstantSchema,
});
export type IdentityDeletionState = z.infer<typeof identityDeletionStateSchema>;

/** `docs/protocol/backbone-api.md` 7.2 */
export const wireIdentitySchema = z.object({
	address: addressSchema,
	createdAt: shownInstantSchema,
	identityVersion: z.number().nullish().catch(undefined),
	tierId: shownTextSchema,
	/** `Active`, `ToBeDeleted`, `Deleting` */
	status: shownTextSchema,
	deletionGracePeriodEndsAt: shownInstantSchema,
});
export type WireIdentity = z.infer<typeof wireIdentitySchema>;

/** `docs/protocol/backbone-api.md` 7.2. Flags that are neither true nor false are dropped. */
export const featureFlagsSchema = z
	.record(z.string(), z.unknown())
	.transform((flags): Record<string, boolean> =>
		Object.fromEntries(
			Object.entries(flags).filter(
				(flag): flag is [string, boolean] => typeof flag[1] === 'boolean',
			),
		),
	);
export type FeatureFlags = z.infer<typeof featureFlagsSchema>;
