import { alphanumeric, type Random } from '../base/random';
import { isGatewayError, type GatewayError } from '../base/errors';
import { backboneErrors } from './backbone-errors';
import type { ClientVerdict } from './client-verdict';
import type { TokenEndpoint } from './token-endpoint';

const accepted: ClientVerdict = {
	verdict: 'clientAccepted',
	message: 'The Backbone accepts client ID and client secret.',
};

/**
 * Asks for a token for a user that cannot exist: a refused user shows that the client was accepted.
 * Lock-outs count per device user, so this locks out no identity.
 *
 * The answer is always an error, which the operator sees once per new account. There is no other way:
 * the Backbone looks at a client without an identity in one more call only, which creates one
 * (`docs/protocol/backbone-api.md` 7). Before that the account has to be stored with its keys, and an
 * account that was stored with a mistyped client secret could be opened with that one alone.
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
		// The status that the library of the Backbone uses for this, without its usual body.
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
