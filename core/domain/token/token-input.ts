import * as z from 'zod';
import { parse } from '../../base/schema-parse';
import { isGatewayError } from '../../base/errors';
import { faultOfAddress } from '../../model/address';
import { parseReceivedContent } from '../../model/content/content-registry';
import { isExpired } from '../../model/instant';
import { jsonObjectSchema, type JsonObject } from '../../model/json';
import { readTokenTarget } from './token-contents';
import { tokenErrors } from './token-errors';
import { invalidInput } from '../input-errors';

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function requireFuture(expiresAt: string, nowMs: number): void {
	if (!isExpired(expiresAt, nowMs)) return;
	throw invalidInput("'expiresAt' is not valid: must be in the future.", 'expiresAt');
}

/**
 * Refuses an address that no identity of this Backbone can have, which the Backbone would refuse
 * without naming the field.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`
 */
export function requireReachable(forIdentity: string | undefined, ownAddress: string): void {
	const fault = forIdentity === undefined ? undefined : faultOfAddress(forIdentity, ownAddress);
	if (fault !== undefined)
		throw invalidInput(`'forIdentity' is not valid: ${fault}.`, 'forIdentity');
}

/**
 * Validates own content: an object without a type, or of a known type with its required members.
 *
 * @throws `error.runtime.invalidTokenContent`
 */
export function prepareTokenContent(content: unknown): JsonObject {
	try {
		const checked = parseReceivedContent(parse(jsonObjectSchema, content));
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
