import type { Cancellable } from '../../base/abort';
import type { GatewayError } from '../../base/errors';

export interface CallOptions extends Cancellable {
	/** sent as `X-Correlation-Id`: at most 100 characters, no line breaks */
	readonly correlationId?: string | undefined;
	/**
	 * Milliseconds since the epoch. A call that is still unsent at this time, because this process
	 * was suspended, fails with `error.gateway.backbone.tooLate`.
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

/** Item of a list in an unexpected form. */
export interface UnreadableItem {
	readonly id?: string;
	readonly createdBy?: string;
	/** `error.gateway.backbone.unexpectedAnswer` */
	readonly problem: GatewayError;
}

export interface ListOptions extends CallOptions {
	/**
	 * Called for items that are left out because they are unreadable. Callers that draw
	 * conclusions from the absence of an item need it. An error that it throws ends the call.
	 * Every such item is logged, too.
	 */
	readonly onUnreadable?: ((item: UnreadableItem) => void) | undefined;
}
