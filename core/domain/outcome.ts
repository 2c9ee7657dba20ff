import type { GatewayError } from '../base/errors';

/** codes for a missing access token: the call was never sent */
const noToken = /^error\.transport\.request\.noAuth/;

/**
 * Checks whether the Backbone may have carried out a failed call; refused and unsent calls had no
 * effect.
 */
export function isOutcomeUnknown(error: GatewayError): boolean {
	if (noToken.test(error.code) || error.facts['sent'] === false) return false;
	return error.kind === 'unavailable' || error.kind === 'internal';
}
