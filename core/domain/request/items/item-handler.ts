import type { GatewayError } from '../../../base/errors';
import type { Generation } from '../../../model/content/generations';
import type { JsonObject } from '../../../model/json';
import type { ReadTransaction, WriteTransaction } from '../../../store/store';
import type { AttributeWriter } from '../../attribute/attribute-writer';
import type { FilesInItems } from './file-facts';

export interface CheckContext {
	readonly tx: ReadTransaction;
	readonly ownAddress: string;
	/** absent for requests in templates */
	readonly peer: string | undefined;
	/** milliseconds since the epoch */
	readonly nowMs: number;
	/** what the Backbone knows of the files that the items speak of; asked before the store */
	readonly files: FilesInItems;
}

/** A request of a peer that is being decided. */
export interface DecisionContext extends CheckContext {
	readonly peer: string;
	readonly requestId: string;
	/** of the peer, as far as it is known */
	readonly generation: Generation | undefined;
	/** files that were taken over for this very request before */
	readonly claimedFiles: readonly string[];
}

export interface AcceptContext extends DecisionContext {
	readonly tx: WriteTransaction;
	readonly writer: AttributeWriter;
}

/** Who answered which request of ours. */
export interface ResponseContext {
	readonly tx: WriteTransaction;
	readonly ownAddress: string;
	readonly peer: string;
	readonly requestId: string;
	/** from which ids for wallets of version 7 follow */
	readonly seed: string;
	readonly writer: AttributeWriter;
}

/** The parties of an answer, for what can be told without the store. */
export type ResponseParties = Pick<ResponseContext, 'ownAddress' | 'peer'>;

/** What an acceptance leaves behind. */
export interface Acceptance {
	/** the response item, before it is parsed */
	readonly response: JsonObject;
	/** the item as the request is stored from now on, where it changes */
	readonly item?: JsonObject;
}

/** What our side made of an answer. */
export interface Effect {
	/** why nothing could be kept of it */
	readonly problem?: string;
	/** the item as the request is stored from now on, where it changes */
	readonly item?: JsonObject;
}

/** A relationship attribute that accepting an item brings about (docs/protocol/consumption.md 4.2). */
export interface CreatedKey {
	/** '' for the recipient of the request */
	readonly owner: string;
	readonly key: string;
	readonly valueType: string;
}

/**
 * What a type of request item knows about itself (docs/protocol/consumption.md 6); one file per type.
 * Items are parsed; parameters, answers and everything stored may be of a hostile peer or a careless
 * caller.
 */
export interface ItemHandler {
	/** Why we may not send the item, or undefined; absent: there is no rule. */
	checkOutgoing?(item: JsonObject, context: CheckContext): Promise<GatewayError | undefined>;
	/** What our side keeps when the item goes out in a message. */
	applySent?(item: JsonObject, context: ResponseContext): Promise<void>;
	/** The relationship attribute that accepting it creates, if it does. */
	createdKey?(item: JsonObject): CreatedKey | undefined;

	/** Why it cannot be accepted with these parameters, or undefined; absent: it always can. */
	checkAccept?(
		item: JsonObject,
		parameters: JsonObject,
		context: DecisionContext,
	): Promise<GatewayError | undefined>;
	/** Only after `checkAccept` found nothing, in the same transaction. */
	accept(item: JsonObject, parameters: JsonObject, context: AcceptContext): Promise<Acceptance>;

	/** Why the peer's accepting answer is none to this item, or undefined. Reads nothing stored. */
	checkResponse(
		item: JsonObject,
		response: JsonObject,
		parties: ResponseParties,
	): GatewayError | undefined;
	/** What our side keeps of a checked accepting answer. */
	applyResponse?(item: JsonObject, response: JsonObject, context: ResponseContext): Promise<Effect>;
	/** What our side keeps of a rejecting one. */
	applyRejection?(item: JsonObject, context: ResponseContext): Promise<void>;
}
