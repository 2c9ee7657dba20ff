import type { GatewayError } from '../../../base/errors';
import type { Generation } from '../../../model/peer-version';
import type { RequestItem } from '../../../model/content/requests/request-items';
import type { ResponseItem } from '../../../model/content/requests/response-items';
import type { JsonObject } from '../../../model/json';
import type { ReadTransaction, WriteTransaction } from '../../../store/store';
import type { AttributeWriter } from '../../attribute/attribute-writer';
import type { FilesInItems } from './file-facts';

/** Checked request: its parties, and what the check reads. */
export interface CheckDependencies {
	readonly tx: ReadTransaction;
	readonly ownAddress: string;
	/** absent for requests in templates */
	readonly peer: string | undefined;
	/** milliseconds since the epoch */
	readonly nowMs: number;
	/** the Backbone's facts about the files of the items, requested before the transaction */
	readonly files: FilesInItems;
	/** true if peers know an attribute by the id that it has here, as in version 7 */
	readonly hasOneId: boolean;
}

/** Request of a peer that is being decided. */
export interface DecisionDependencies extends CheckDependencies {
	readonly peer: string;
	readonly requestId: string;
	/** generation of the peer's wallet, if known */
	readonly generation: Generation | undefined;
	/** files that were taken over for this request before */
	readonly claimedFiles: readonly string[];
}

/** Request that is being accepted, in the transaction that stores what the answer creates. */
export interface AcceptDependencies extends DecisionDependencies {
	readonly tx: WriteTransaction;
	readonly writer: AttributeWriter;
}

/** Answered request of this account, and the peer who answered it. */
export interface ResponseDependencies {
	readonly tx: WriteTransaction;
	readonly ownAddress: string;
	readonly peer: string;
	readonly requestId: string;
	/** seed from which ids for wallets of version 7 are derived */
	readonly seed: string;
	readonly writer: AttributeWriter;
}

/** Parties of an answer, for checks that do not use the store. */
export type ResponseParties = Pick<ResponseDependencies, 'ownAddress' | 'peer'>;

/** Result of accepting an item. */
export interface Acceptance {
	/** response item, before it is parsed */
	readonly response: JsonObject;
	/** changed item for the stored request; absent without a change */
	readonly item?: RequestItem;
}

/** Result of applying an answer at the requester. */
export interface Effect {
	/** reason why nothing of the answer could be stored */
	readonly problem?: string;
	/** changed item for the stored request; absent without a change */
	readonly item?: RequestItem;
}

/**
 * Key of the relationship attribute that accepting an item creates (docs/protocol/consumption.md
 * 4.2).
 */
export interface CreatedKey {
	/** owner; '' stands for the recipient of the request */
	readonly owner: string;
	readonly key: string;
	readonly valueType: string;
}

/**
 * Rules of one type of request item (docs/protocol/consumption.md 6); one file per type. Items are
 * parsed; parameters, answers and everything stored may come from a hostile peer or a careless
 * caller.
 */
export interface ItemHandler<Item extends RequestItem = RequestItem> {
	/**
	 * Returns the reason why this account may not send the item, or undefined; absent without such a
	 * rule.
	 */
	checkOutgoing?(item: Item, context: CheckDependencies): Promise<GatewayError | undefined>;
	/** Stores the effects of sending the item in a message. */
	applySent?(item: Item, context: ResponseDependencies): Promise<void>;
	/** Key of the relationship attribute that accepting the item creates, if any. */
	createdKey?(item: Item): CreatedKey | undefined;

	/**
	 * Returns the reason why the item cannot be accepted with these parameters, or undefined; absent
	 * if it always can.
	 */
	checkAccept?(
		item: Item,
		parameters: JsonObject,
		context: DecisionDependencies,
	): Promise<GatewayError | undefined>;
	/**
	 * Accepts the item; called only after `checkAccept` has found no problem, in the same
	 * transaction.
	 */
	accept(item: Item, parameters: JsonObject, context: AcceptDependencies): Promise<Acceptance>;

	/**
	 * Returns the reason why the peer's accepting answer does not fit this item, or undefined. Reads
	 * nothing from the store.
	 */
	checkResponse(
		item: Item,
		response: ResponseItem,
		parties: ResponseParties,
	): GatewayError | undefined;
	/** Stores the effects of a checked accepting answer. */
	applyResponse?(
		item: Item,
		response: ResponseItem,
		context: ResponseDependencies,
	): Promise<Effect>;
	/** Stores the effects of a rejecting answer. */
	applyRejection?(item: Item, context: ResponseDependencies): Promise<void>;
}
