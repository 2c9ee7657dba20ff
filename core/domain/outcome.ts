import type { GatewayError } from '../base/errors';

/** no access token was to be had, so that the call itself was never on its way */
const noToken = /^error\.transport\.request\.noAuth/;

/** Refused and unsent calls did nothing; everything else may have been carried out. */
export function isOutcomeUnknown(error: GatewayError): boolean {
	if (noToken.test(error.code) || error.facts['sent'] === false) return false;
	return error.kind === 'unavailable' || error.kind === 'internal';
}
