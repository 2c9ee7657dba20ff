import type { Cancellable } from '../../base/abort';
import type { GatewayError } from '../../base/errors';

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

/** An item of a list whose form was not expected. */
export interface UnreadableItem {
	readonly id?: string;
	readonly createdBy?: string;
	/** `error.gateway.backbone.unexpectedAnswer` */
	readonly problem: GatewayError;
}

export interface ListOptions extends CallOptions {
	/**
	 * Learns of items that are left out because they cannot be read: a caller that concludes something
	 * from an item's absence needs it. What it throws ends the call. Each is logged in any case.
	 */
	readonly onUnreadable?: ((item: UnreadableItem) => void) | undefined;
}
