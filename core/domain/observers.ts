import type { JsonObject } from '../model/json';
import type { AttributeRecord } from '../model/record/attribute';
import type { MessageRecord } from '../model/record/message';
import type { RelationshipRecord } from '../model/record/relationship';
import type { TemplateRecord } from '../model/record/template';
import type { NewWait } from '../model/record/wait';
import type { WriteTransaction } from '../store/store';

/** Own message before it is sealed. */
export interface PreparedMessage {
	readonly content: JsonObject;
	readonly recipients: readonly string[];
	readonly intentId: string;
}

/** Own message for whose answer an execution waits. */
export interface AwaitedMessage {
	readonly wait: NewWait;
	readonly content: JsonObject;
	readonly recipients: readonly string[];
	/** id of its intent; undefined if the intent is not kept any more */
	readonly intentId: string | undefined;
	/** time of the Backbone before which the message was not sent */
	readonly notSentBefore: string;
}

/** Own template for whose first answer an execution waits. */
export interface AwaitedTemplate {
	readonly wait: NewWait;
	readonly template: TemplateRecord;
}

/** Changes that services of other modules observe, with the changed object. */
interface ObservedChanges {
	/** attribute of any owner, when the event about its creation is published */
	readonly attributeCreated: AttributeRecord;
	/**
	 * own message before it is sealed, with its intent stored; observers may throw to refuse the
	 * content
	 */
	readonly messagePrepared: PreparedMessage;
	/** own message before it is sealed, or a message that was sent already, whose answer is awaited */
	readonly messageAwaited: AwaitedMessage;
	/** wait for the answer to a message that was not sent */
	readonly messageNotAwaited: NewWait;
	/** own message that the Backbone accepted */
	readonly messageSent: MessageRecord;
	/** message of a peer; observers record faults of the peer and never throw them */
	readonly messageReceived: MessageRecord;
	/** own template whose answer is awaited, when it is stored */
	readonly templateAwaited: AwaitedTemplate;
	/** template that was deleted, and of which a record is kept */
	readonly templateDeleted: TemplateRecord;
	/** template of a peer, each time it is loaded */
	readonly templateLoaded: TemplateRecord;
	/** own relationship after it was stored; its creation content has reached the peer */
	readonly relationshipCreated: RelationshipRecord;
	/**
	 * relationship of a peer after it was stored; observers record faults of the peer and never throw
	 * them
	 */
	readonly relationshipArrived: RelationshipRecord;
	/** relationship accepted by this account or by the peer */
	readonly relationshipAccepted: RelationshipRecord;
	/** relationship rejected or revoked before it was accepted: all of its data is removed */
	readonly relationshipEnded: RelationshipRecord;
	/** relationship decomposed by the peer: all data is kept, and some objects are marked */
	readonly relationshipLeftByPeer: RelationshipRecord;
	/**
	 * relationship decomposed by this account: observers remove the data that they hold because of it
	 * and erase the events about it (docs/protocol/transport.md 6.4, consumption.md 8.14)
	 */
	readonly relationshipDecomposed: RelationshipRecord;
}

type Change = keyof ObservedChanges;

type Handlers = {
	readonly [Name in Change]: (
		tx: WriteTransaction,
		changed: ObservedChanges[Name],
	) => Promise<void>;
};

/** Service that observes the named changes. */
export type Observer<Name extends Change> = Pick<Handlers, Name>;

/** Observers of each change, in the order of their calls. */
export type ObserverTable = { readonly [Name in Change]: ReadonlyArray<Observer<Name>> };

/**
 * Calls the observers of a change within its transaction, so that a crash keeps or discards both
 * together. The table is connected after construction, because the observing services depend on the
 * notifying ones.
 */
export class Observers {
	private table: Partial<ObserverTable> = {};

	connect(table: ObserverTable): void {
		this.table = table;
	}

	async notify<Name extends Change>(
		name: Name,
		tx: WriteTransaction,
		changed: ObservedChanges[Name],
	): Promise<void> {
		const observers: ReadonlyArray<Observer<Name>> = this.table[name] ?? [];
		for (const observer of observers) await observer[name](tx, changed);
	}
}
