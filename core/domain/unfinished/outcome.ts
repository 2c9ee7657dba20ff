import type { GatewayError } from '../../base/errors';

/** codes for a missing access token: the call was never sent */
const noToken = /^error\.transport\.request\.noAuth/;

/**
 * Checks whether the Backbone may have carried out a failed call; refused and unsent calls had no
 * effect. Only a code of the Backbone itself proves a refusal: a proxy may answer 408 or 429 about
 * a call that it has passed on.
 */
export function isOutcomeUnknown(error: GatewayError): boolean {
	const isUnsent = noToken.test(error.code) || error.facts['sent'] === false;
	// An earlier attempt of the same call had no answer; the facts are about the last one.
	if (error.facts['mayHaveArrived'] === true) return isUnsent || isTemporary(error);
	return !isUnsent && !isRefused(error) && isTemporary(error);
}

/** Checks whether the Backbone itself has answered that it did not carry out the call. */
export function isRefused({ facts: { platformCode, status } }: GatewayError): boolean {
	return platformCode !== undefined && Number(status) >= 400 && Number(status) < 500;
}

/** Checks whether the same call may work later, whether or not it was carried out this time. */
export function isTemporary({ kind }: GatewayError): boolean {
	return kind === 'unavailable' || kind === 'internal';
}
