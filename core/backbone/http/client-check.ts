import { alphanumeric, type Random } from '../../base/random';
import { isGatewayError, type GatewayError } from '../../base/errors';
import { backboneErrors } from '../backbone-errors';
import type { ClientVerdict } from '../port/backbone';
import type { TokenEndpoint } from './token-endpoint';

const accepted: ClientVerdict = {
	verdict: 'clientAccepted',
	message: 'The Backbone accepts client ID and client secret.',
};

/**
 * Requests a token for a user that cannot exist: if the Backbone refuses the user, it has accepted
 * the client. Lock-outs count per device user, so this call locks no identity.
 *
 * The answer is always an error, which the operator sees once per new account. There is no other
 * way: the only other call in which the Backbone checks a client without an identity creates an
 * identity (`docs/protocol/backbone-api.md` 7). The account and its keys have to be stored before
 * that call, and an account stored with a mistyped client secret could only be opened with that
 * secret.
 */
export async function checkClient(
	endpoint: TokenEndpoint,
	random: Random,
	signal?: AbortSignal,
): Promise<ClientVerdict> {
	const username = `USR${random.text(17, alphanumeric)}`;
	const password = random.text(30, alphanumeric);
	try {
		await endpoint.grant({ username, password }, signal);
		return accepted;
	} catch (error) {
		if (signal?.aborted === true || !isGatewayError(error)) throw error;
		return verdictOf(error);
	}
}

function verdictOf(error: GatewayError): ClientVerdict {
	const { oauthError, status } = error.facts;
	if (oauthError === 'invalid_grant' || oauthError === 'access_denied') return accepted;
	if (oauthError === 'invalid_client' || oauthError === 'unauthorized_client') {
		return {
			verdict: 'clientRefused',
			message: `Client ID or client secret is wrong. ${backboneErrors.clientRefused.remedy}`,
			error,
		};
	}
	if (status === undefined && error.code !== backboneErrors.answerTooLarge.code) {
		return { verdict: 'unreachable', message: sentence(error), error };
	}
	if (status === 401) {
		// The authentication library of the Backbone uses this status for a wrong client,
		// here without its usual body.
		return { verdict: 'clientRefused', message: sentence(error), error };
	}
	if (status === 404) {
		const message = 'No Backbone answers at this address: it has no token endpoint (404).';
		return { verdict: 'other', message: `${message} Check the Backbone address.`, error };
	}
	return { verdict: 'other', message: sentence(error), error };
}

function sentence(error: GatewayError): string {
	return error.remedy === undefined ? error.message : `${error.message} ${error.remedy}`;
}
