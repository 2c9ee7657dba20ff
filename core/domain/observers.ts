import type { GatewayError } from '../base/errors';
import type { MessageContent } from '../model/content/message-content';
import type { AttributeRecord } from '../model/record/attribute';
import type { MessageRecord } from '../model/record/message';
import type { RelationshipRecord } from '../model/record/relationship';
import type { TemplateRecord } from '../model/record/template';
import type { NewWait } from '../model/record/wait';
import type { WriteTransaction } from '../store/store';

/** Own message before it is sealed. */
export interface PreparedMessage {
	readonly content: MessageContent;
	readonly recipients: readonly string[];
	readonly intentId: string;
}

/** Own message for whose answer an execution waits. */
export interface AwaitedMessage {
	readonly wait: NewWait;
	readonly content: MessageContent;
	readonly recipients: readonly string[];
	/** id of its intent; undefined if the intent is not kept any more */
	readonly intentId: string | undefined;
	/** time at which the message was prepared, by the own clock */
	readonly askedAt: string;
	/** time of the Backbone before which the message was not sent */
	readonly notSentBefore: string;
	/** newest message of the recipient that was stored before; undefined without any */
	readonly latestReceived: string | undefined;
}

/** Own template for whose first answer an execution waits. */
export interface AwaitedTemplate {
	readonly wait: NewWait;
	readonly template: TemplateRecord;
}

/** Changes that services of other modules take part in, and that they may refuse. */
interface PlannedChanges {
	/** own message before it is sealed, with its intent stored */
	readonly messagePrepared: PreparedMessage;
	/**
	 * own message before it is sealed, or a message that was sent already, whose answer is awaited
	 */
	readonly messageAwaited: AwaitedMessage;
	/** own template whose answer is awaited, when it is stored */
	readonly templateAwaited: AwaitedTemplate;
}

/** Changes that services of other modules are told, with the changed object. */
interface ObservedChanges {
	/** attribute of any owner, when the event about its creation is published */
	readonly attributeCreated: AttributeRecord;
	/** wait for the answer to a message that was not sent */
	readonly messageNotAwaited: NewWait;
	/** own message that the Backbone accepted */
	readonly messageSent: MessageRecord;
	/** message of a peer; observers record faults of the peer and never throw them */
	readonly messageReceived: MessageRecord;
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

type PlannedChange = keyof PlannedChanges;
type ObservedChange = keyof ObservedChanges;

type Reviews = {
	readonly [Name in PlannedChange]: (
		tx: WriteTransaction,
		planned: PlannedChanges[Name],
	) => Promise<Refusal>;
};

/** Reason why a planned change must not happen; undefined if it may. */
export type Refusal = GatewayError | undefined;

/** Service that takes part in the named changes before they happen, and may refuse them. */
export type Reviewer<Name extends PlannedChange> = Pick<Reviews, Name>;

type Handlers = {
	readonly [Name in ObservedChange]: (
		tx: WriteTransaction,
		changed: ObservedChanges[Name],
	) => Promise<void>;
};

/** Service that is told the named changes. It cannot refuse them. */
export type Observer<Name extends ObservedChange> = Pick<Handlers, Name>;

type ReviewerLists = { readonly [Name in PlannedChange]: ReadonlyArray<Reviewer<Name>> };
type ObserverLists = { readonly [Name in ObservedChange]: ReadonlyArray<Observer<Name>> };

/** Reviewers and observers of each change, in the order of their calls. */
export interface ObserverTable extends ReviewerLists, ObserverLists {}

/**
 * Calls the reviewers and observers of a change within its transaction, so that a crash keeps or
 * discards both together. The table is connected after construction, because the called services
 * depend on the calling ones.
 */
export class Observers {
	private reviewers: Partial<ReviewerLists> = {};

	private observers: Partial<ObserverLists> = {};

	connect(table: ObserverTable): void {
		this.reviewers = table;
		this.observers = table;
	}

	/**
	 * Lets the reviewers take part in a planned change.
	 *
	 * @throws the first refusal; reviewers after it are not asked
	 */
	async review<Name extends PlannedChange>(
		name: Name,
		tx: WriteTransaction,
		planned: PlannedChanges[Name],
	): Promise<void> {
		const reviewers: ReadonlyArray<Reviewer<Name>> = this.reviewers[name] ?? [];
		for (const reviewer of reviewers) {
			const refusal = await reviewer[name](tx, planned);
			if (refusal !== undefined) throw refusal;
		}
	}

	/** Tells the observers a change. An error, for example of the store, ends the transaction. */
	async notify<Name extends ObservedChange>(
		name: Name,
		tx: WriteTransaction,
		changed: ObservedChanges[Name],
	): Promise<void> {
		const observers: ReadonlyArray<Observer<Name>> = this.observers[name] ?? [];
		for (const observer of observers) await observer[name](tx, changed);
	}
}
