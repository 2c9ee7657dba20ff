import type { GatewayError } from '../base/errors';

/** What the credential test learns about address, client id and client secret; `message` is shown. */
export type ClientVerdict =
	| { readonly verdict: 'clientAccepted'; readonly message: string }
	/** the token endpoint does not know this pair: it does not say which of both is wrong */
	| { readonly verdict: 'clientRefused'; readonly message: string; readonly error: GatewayError }
	/** nobody answers there, or not over a trusted connection */
	| { readonly verdict: 'unreachable'; readonly message: string; readonly error: GatewayError }
	/** somebody answers who does not behave like a Backbone, or not at the moment */
	| { readonly verdict: 'other'; readonly message: string; readonly error: GatewayError };
