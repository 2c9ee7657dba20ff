import type { GatewayError } from '../../../base/errors';
import type { JsonObject } from '../../../model/json';
import type { ReadTransaction, WriteTransaction } from '../../../store/store';

export interface CheckContext {
	readonly tx: ReadTransaction;
	readonly ownAddress: string;
	/** absent for requests in templates */
	readonly peer: string | undefined;
}

/** Who answered which request. */
export interface ResponseContext {
	readonly tx: WriteTransaction;
	readonly ownAddress: string;
	readonly peer: string;
	readonly requestId: string;
	/** ISO text */
	readonly now: string;
}

/** What a type of request item knows about itself on our side as the sender; one file per type. */
export interface ItemHandler {
	/** Why we may not send the item (docs/protocol/consumption.md 6), or undefined. */
	checkOutgoing(item: JsonObject, context: CheckContext): Promise<GatewayError | undefined>;
	/** Why the peer's accepting answer is none to this item, or undefined. Reads nothing stored. */
	checkResponse(
		item: JsonObject,
		response: JsonObject,
		context: Omit<ResponseContext, 'tx'>,
	): GatewayError | undefined;
	/**
	 * What our side keeps of a checked accepting answer. The result says why nothing could be kept, or
	 * is undefined.
	 */
	applyResponse(
		item: JsonObject,
		response: JsonObject,
		context: ResponseContext,
	): Promise<string | undefined>;
}
