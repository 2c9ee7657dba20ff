import { isUnprotected } from '../../base/unprotected';
import { identityErrors } from './identity-errors';

export interface BackboneAddress {
	readonly baseUrl: string;
	/** true if a person has confirmed that the connection need not be encrypted any more */
	readonly allowPlainHttp: boolean;
}

/**
 * Checks whether the password and client secret of an identity may be sent to an address. A server
 * can prove to be the identity's Backbone only by its host name, for which its certificate was issued
 * and which the identity's address contains; therefore the check precedes every call.
 *
 * @throws `error.gateway.identity.belongsToAnotherBackbone`, `error.gateway.backbone.downgraded`
 */
export function requireOwnBackbone(
	known: string,
	{ baseUrl, allowPlainHttp }: BackboneAddress,
): void {
	const [former, next] = [new URL(known), new URL(baseUrl)];
	// Port and scheme may change, for example because of a proxy or TLS.
	if (former.hostname !== next.hostname) {
		throw identityErrors.create('anotherBackbone', {
			message: `This account lives on ${known}, not on ${baseUrl}.`,
			facts: { accountBackbone: known, configuredBackbone: baseUrl },
		});
	}
	if (former.protocol === 'https:' && isUnprotected(baseUrl) && !allowPlainHttp) {
		throw identityErrors.create('downgraded', {
			message: `This account was created over an encrypted connection (${known}); ${baseUrl} has none.`,
			facts: { accountBackbone: known, configuredBackbone: baseUrl },
		});
	}
}
