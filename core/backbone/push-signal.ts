import type { GatewayError } from '../base/errors';

/** `docs/protocol/backbone-api.md` 19.1. Only the name of an event carries meaning. */
export type PushSignal =
	| { readonly kind: 'opened' }
	/** for example `ExternalEventCreated`; keep-alives are not passed on */
	| { readonly kind: 'event'; readonly name: string }
	/** the stream ended or could not be opened; it is tried again after `retryInMs` */
	| { readonly kind: 'lost'; readonly error: GatewayError; readonly retryInMs: number };
