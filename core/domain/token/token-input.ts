import * as z from 'zod';
import { isGatewayError, type GatewayError } from '../../base/errors';
import { addressPatternSchema } from '../../model/address';
import { parseReceivedContent } from '../../model/content/content-registry';
import { instantSchema, isExpired } from '../../model/instant';
import { jsonObjectSchema, type JsonObject } from '../../model/json';
import type { PasswordProtectionInput } from '../../model/password-protection';
import { readTokenTarget } from './token-contents';
import { tokenErrors } from './token-errors';

const sharing = {
	forIdentity: addressPatternSchema.optional(),
	/** validated by a reader of its own, which knows the exact codes */
	passwordProtection: z.custom<PasswordProtectionInput>().optional(),
};

/** Input for a new token (docs/protocol/http-api.md 8.13). */
export const createTokenInputSchema = z.strictObject({
	content: z.unknown(),
	expiresAt: instantSchema,
	ephemeral: z.boolean().default(false),
	...sharing,
});

/** Input for a token that refers to a file or template, which determines the rest. */
export const tokenForObjectInputSchema = z.strictObject({
	expiresAt: instantSchema.optional(),
	ephemeral: z.boolean().default(true),
	...sharing,
});

const reference = {
	reference: z.string().min(1).max(4_000),
	password: z.string().min(1).max(1_000).optional(),
};

export const loadTokenInputSchema = z.strictObject({
	...reference,
	ephemeral: z.boolean().default(false),
});

export const loadAnonymousInputSchema = z.strictObject(reference);

export const fillTokenInputSchema = z.strictObject({
	...reference,
	content: z.unknown(),
	ephemeral: z.boolean().default(true),
});

export const loadFileInputSchema = z.strictObject(reference);

export function invalid(message: string, field: string): GatewayError {
	return tokenErrors.create('invalidInput', { message, facts: { field } });
}

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function requireFuture(expiresAt: string, nowMs: number): void {
	if (!isExpired(expiresAt, nowMs)) return;
	throw invalid("'expiresAt' is not valid: must be in the future.", 'expiresAt');
}

/**
 * Validates own content: an object without a type, or of a known type with its required members.
 *
 * @throws `error.runtime.invalidTokenContent`
 */
export function prepareTokenContent(content: unknown): JsonObject {
	try {
		const checked = parseReceivedContent(jsonObjectSchema.parse(content));
		readTokenTarget(checked);
		return checked;
	} catch (cause) {
		if (!isGatewayError(cause) && !(cause instanceof z.ZodError)) throw cause;
		const reason = isGatewayError(cause) ? cause.message : 'It is not a JSON object.';
		throw tokenErrors.create('invalidTokenContent', {
			message: `A token cannot carry this content. ${reason}`,
			cause,
		});
	}
}
