import { isUnprotected } from '../../base/unprotected';
import { identityErrors } from './identity-errors';

export interface BackboneAddress {
	readonly baseUrl: string;
	/** a person has said that the connection need not be encrypted any more */
	readonly allowPlainHttp: boolean;
}

/**
 * Whether password and client secret of an identity may go to an address. Nothing that a server could
 * show proves it to be the Backbone of the identity, except the host that its certificate was made for
 * and that the identity's address names: so this is asked before anything is sent.
 *
 * @throws `error.gateway.identity.belongsToAnotherBackbone`, `error.gateway.backbone.downgraded`
 */
export function requireOwnBackbone(
	known: string,
	{ baseUrl, allowPlainHttp }: BackboneAddress,
): void {
	const [former, next] = [new URL(known), new URL(baseUrl)];
	// Port and scheme may change (a proxy, TLS).
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
