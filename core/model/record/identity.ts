import * as z from 'zod';

/**
 * This account's identity and its only device. A record in state `creating` is stored before the
 * Backbone is called, so that no keys are lost during the call; found at start, it is discarded,
 * because the answer (user name, device id) cannot be requested again
 * (docs/protocol/crypto-and-identity.md 11).
 */
export const identityRecordSchema = z.object({
	id: z.literal('self'),
	state: z.enum(['creating', 'registered', 'ready']),
	address: z.string(),
	/** base64url of the 32 public key bytes */
	publicKey: z.string(),
	backboneBaseUrl: z.string(),
	createdAt: z.string(),
	device: z.object({ id: z.string(), username: z.string() }).optional(),
	/** set if peers get an own attribute under the id that it has here */
	hasOneId: z.literal(true).optional(),
});
export type IdentityRecord = z.infer<typeof identityRecordSchema>;

export const identitySecretsSchema = z.object({
	/** base64url of the 64 byte Ed25519 private key */
	identityPrivateKey: z.string(),
	devicePrivateKey: z.string(),
	devicePublicKey: z.string(),
	devicePassword: z.string(),
});
export type IdentitySecrets = z.infer<typeof identitySecretsSchema>;

/**
 * Identity as callers receive it: `publicKey` is base64url of its JSON form
 * (docs/protocol/http-api.md 7).
 */
export const identityDtoSchema = z.object({
	/** address, for example `did:e:backbone.example.com:dids:…` */
	address: z.string(),
	/** base64url of the JSON form of the key that signs */
	publicKey: z.string(),
});
/** Public data of the own identity. */
export type IdentityDto = z.infer<typeof identityDtoSchema>;
