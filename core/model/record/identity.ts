import * as z from 'zod';

/**
 * Our identity and its only device. `creating` is written before the Backbone is asked, so that keys
 * are never lost between the call and its answer; a record found in that state at start is discarded
 * because the answer (user name, device id) cannot be asked for again (crypto-and-identity 11).
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
});
export type IdentityRecord = z.infer<typeof identityRecordSchema>;

export const identitySecretsSchema = z.object({
	/** base64url of the 64 byte Ed25519 private keys */
	identityPrivateKey: z.string(),
	devicePrivateKey: z.string(),
	devicePublicKey: z.string(),
	devicePassword: z.string(),
});
export type IdentitySecrets = z.infer<typeof identitySecretsSchema>;

/** What callers see of our identity: `publicKey` is base64url of its JSON form (http-api 7). */
export const identityDtoSchema = z.object({
	address: z.string(),
	publicKey: z.string(),
});
export type IdentityDto = z.infer<typeof identityDtoSchema>;
