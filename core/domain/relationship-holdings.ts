import type { RelationshipRecord } from '../model/record/relationship';
import type { WriteTransaction } from '../store/store';

/**
 * What a noun keeps because of a relationship. A noun that stores anything of or for a peer has one,
 * and all of them stand in `core/gateway-holdings.ts`. Both run inside the transaction that changes
 * the relationship, so that no crash leaves half of it.
 */
export interface RelationshipHoldings {
	/**
	 * We leave the relationship: removes what is kept, and erases the events that tell of it
	 * (docs/protocol/transport.md 6.4, consumption.md 8.14).
	 */
	release(tx: WriteTransaction, relationship: RelationshipRecord): Promise<void>;
	/** It was rejected or revoked before it was accepted: nothing of it stays. */
	ended?(tx: WriteTransaction, relationship: RelationshipRecord): Promise<void>;
	/** It was accepted, by us or by the peer. */
	accepted?(tx: WriteTransaction, relationship: RelationshipRecord): Promise<void>;
	/** The peer has left the relationship: nothing is removed, but some of it may have to say so. */
	peerLeft?(tx: WriteTransaction, relationship: RelationshipRecord): Promise<void>;
}
