import * as z from 'zod';
import type { TemplateContent } from '../content/template-content';
import { objectOf, type UnknownContent } from '../json';
import { peerVersionSchema } from '../peer-version';
import {
	passwordProtectionDtoSchema,
	storedPasswordProtectionSchema,
} from '../password-protection';
import { referenceDtoSchema } from './reference';

/** @see docs/protocol/transport.md 16.2 */
export const templateDtoSchema = z.object({
	/** `RLT` id */
	id: z.string(),
	/** true if this identity created the template */
	isOwn: z.boolean(),
	/** address of the creator */
	createdBy: z.string(),
	/** id of the device that created it */
	createdByDevice: z.string(),
	/** ISO time of the creation */
	createdAt: z.string(),
	/** address that alone may load the template; absent: each holder of the reference may */
	forIdentity: z.string().optional(),
	/** what an own template is for, as its creator has named it; absent if it was not named */
	purpose: z.string().optional(),
	/** password that a reader needs besides the reference; absent if it needs none */
	passwordProtection: passwordProtectionDtoSchema.optional(),
	/** JSON with `@type`: RelationshipTemplateContent or ArbitraryRelationshipTemplateContent */
	content: objectOf<TemplateContent>(),
	/** ISO time until which the template can be used; own templates always have one */
	expiresAt: z.string().optional(),
	/** number of identities that may load the template; absent: no limit */
	maxNumberOfAllocations: z.number().int().optional(),
	/** same as `reference.truncated` */
	truncatedReference: z.string(),
	/** reference with the key of the template, for QR codes and links */
	reference: referenceDtoSchema,
});
/** Relationship template: the invitation to a relationship or to answer a request. */
export type TemplateDto = z.infer<typeof templateDtoSchema>;

/** Public members that are not stored like this: secrets, and what follows from them. */
const shownSecrets = {
	passwordProtection: true,
	truncatedReference: true,
	reference: true,
} as const;

export const templateRecordSchema = templateDtoSchema.omit(shownSecrets).extend({
	/** content as sent, with `@type` (or the peer's plain object) */
	content: objectOf<TemplateContent | UnknownContent>(),
	/** address and public key of the templator, from the signed wrapper */
	identity: z.object({ address: z.string(), publicKey: z.string() }),
	templateKey: z.object({ id: z.string(), publicKey: z.string() }),
	/**
	 * own templates only: time of deletion, from which on it is hidden. The record is kept until its
	 * expiry, because a relationship created from it may still arrive.
	 */
	deletedAt: z.string().optional(),
	/**
	 * own templates with a password only: whether answers by message count, which cannot prove the
	 * password; absent: as the gateway is configured
	 */
	acceptUnprovenAnswers: z.boolean().optional(),
	/** own templates only: set when the exhaustion was published, so that it is published once */
	allocationsExhausted: z.literal(true).optional(),
	/** version of the owner's wallet, if the content shows it (docs/protocol/content.md 13.4) */
	ownerVersion: peerVersionSchema.optional(),
});
export type TemplateRecord = z.infer<typeof templateRecordSchema>;

export const templateSecretsSchema = z.object({
	/** base64url of the 32 byte key in the reference */
	secretKey: z.string(),
	/** own templates only: base64url of the exchange private key */
	templatePrivateKey: z.string().optional(),
	passwordProtection: storedPasswordProtectionSchema.optional(),
});
export type TemplateSecrets = z.infer<typeof templateSecretsSchema>;
