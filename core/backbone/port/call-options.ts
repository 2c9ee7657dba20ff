import type { Cancellable } from '../../base/abort';

export interface CallOptions extends Cancellable {
	/** sent as `X-Correlation-Id`: at most 100 characters, no line breaks */
	readonly correlationId?: string | undefined;
	/**
	 * Milliseconds since the epoch. A call that has not gone out by then, because this process stood
	 * still, is not made: `error.gateway.backbone.tooLate`.
	 */
	readonly sendBefore?: number | undefined;
}

export interface PasswordOptions extends CallOptions {
	/** the password hash in base64 or base64url */
	readonly password?: string | undefined;
}

export interface ProtectedId {
	readonly id: string;
	/** the password hash in base64 or base64url */
	readonly password?: string | undefined;
}
