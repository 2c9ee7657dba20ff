import type { Clock } from '../../base/clock';
import type { GatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { Random } from '../../base/random';
import type { Backbone } from '../../backbone/backbone';
import type { JsonObject } from '../../model/json';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { ReadTransaction, Store, WriteTransaction } from '../../store/store';
import type { Account } from '../identity/account';
import type { RelationshipHoldings } from '../relationship-holdings';

/** What the services of this noun are made of. */
export interface RelationshipContext {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly account: Account;
	readonly clock: Clock;
	readonly random: Random;
	readonly logger: Logger;
	/** Parses own creation content; refuses what the template's kind does not allow. */
	readonly prepareCreationContent: (content: unknown, templateContent: JsonObject) => JsonObject;
	/**
	 * Completes the request of our template inside the transaction that stores the relationship. A
	 * fault of the peer is recorded, never thrown: the relationship must arrive all the same.
	 */
	readonly onRelationshipArrived: (
		tx: WriteTransaction,
		relationship: RelationshipRecord,
	) => Promise<void>;
	/** Why own creation content is not the answer to the template, or undefined. */
	readonly checkCreationContent?: (
		tx: ReadTransaction,
		templateId: string,
		content: JsonObject,
	) => Promise<GatewayError | undefined>;
	/** Our own relationship was stored: with it its content has reached the peer. */
	readonly onRelationshipCreated?: (
		tx: WriteTransaction,
		relationship: RelationshipRecord,
	) => Promise<void>;
	/** What all nouns keep because of a relationship: let go when it is decomposed. */
	readonly holdings: readonly RelationshipHoldings[];
	/** Accepting releases withheld messages without any push: somebody should sync soon. */
	readonly onAccepted: () => void;
}
