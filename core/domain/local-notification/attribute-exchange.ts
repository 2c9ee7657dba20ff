import type { Cancellable } from '../../base/abort';
import { Semaphore } from '../../base/semaphore';
import { refusedText } from '../../model/content/attribute-texts';
import { relationshipAttribute } from '../../model/content/attributes';
import { parseAs } from '../../model/content/parse';
import { newId } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import { notifyInputSchema, relationshipSuccessorSchema } from '../../model/input/attribute';
import type { AttributeRecord, NotifiedSuccessionDto } from '../../model/record/attribute';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { DeletionDto } from '../../facade/attributes';
import { toAttributeDto } from '../attribute/attribute-dto';
import { deleteAttribute } from '../attribute/attribute-deletion';
import { attributeErrors } from '../attribute/attribute-errors';
import { requireAttributeId } from '../attribute/attribute-input';
import {
	isIdentityAttribute,
	isOwnShared,
	isRelationshipAttribute,
} from '../attribute/attribute-kinds';
import { readAttributeInput, successorContentOf } from '../attribute/attribute-rules';
import { findAttribute, requireRepository } from '../attribute/attribute-service';
import { sharedVersionsOf } from '../attribute/succession/attribute-versions';
import type { AttributeWriter } from '../attribute/attribute-writer';
import { unless } from '../attribute/deletion-info';
import { copyInfoOf, shareInfoOf } from '../attribute/shared-attributes';
import { succeed, type Succession, type Successor } from '../attribute/succession/succession';
import { successionProblem } from '../attribute/succession/succession-errors';
import {
	sendNowOrLater,
	type PreparedMessage,
	type PreparedMessages,
} from '../message/sending/prepared-messages';
import { refusedBy7 } from '../request/items/refused-texts';
import { currentRelationship } from '../current-relationship';
import { generationIn, notifiedGeneration } from '../peer-version';
import { requireKind, whilePending } from './deletable-kinds';
import {
	deletionItem,
	notificationOf,
	successionItem,
	type DeletionItemKind,
} from './sent-notification-items';
import { parseInput } from '../validation';
import type { Needs } from '../needs';

/** messages of one change that are sent at the same time */
const mostAtOnce = 8;

export interface AttributeExchangeDependencies extends Needs<'store' | 'logger'> {
	readonly messages: PreparedMessages;
	readonly writer: () => AttributeWriter;
}

/** Result of a change, and the messages that notify the peers. */
export interface Telling<Result> {
	readonly result: Result;
	readonly messages: readonly PreparedMessage[];
}

/** New version of an attribute that both sides hold, and the message that tells the peer. */
export interface ToldSuccession {
	readonly succession: Succession;
	readonly notificationId: string;
	readonly message: PreparedMessage;
}

/**
 * Changes of attributes that include a notification of the peer (docs/protocol/consumption.md 8.7,
 * 8.8, 8.11). The change and the message are committed together, so that the peer is notified even
 * if this process dies in between.
 */
export class AttributeExchange {
	constructor(private readonly dependencies: AttributeExchangeDependencies) {}

	/**
	 * Sends this version of an own attribute to a peer that has an earlier version.
	 *
	 * @param input `peer`
	 * @throws `error.runtime.recordNotFound`, `error.runtime.attributes.isNotRepositoryAttribute`,
	 * `error.runtime.attributes.noPreviousVersionOfRepositoryAttributeHasBeenSharedWithPeerBefore`,
	 * `error.runtime.attributes.cannotSucceedAttributesWithDeletionInfo`,
	 * `error.runtime.attributes.repositoryAttributeHasAlreadyBeenSharedWithPeer`,
	 * `error.consumption.attributes.*` of consumption 8.6,
	 * `error.transport.messages.missingOrInactiveRelationship`,
	 * `error.transport.messages.peerIsDeleted`
	 */
	async notifyPeer(
		id: string,
		input: unknown,
		options: Cancellable = {},
	): Promise<NotifiedSuccessionDto> {
		requireAttributeId(id);
		const { peer } = parseInput(notifyInputSchema, input);
		return await this.change(async (tx, writer) => {
			const source = requireRepository(await findAttribute(tx, id), writer.ownAddress);
			const shared = await sharedBefore(tx, source, peer);
			return resultOf(await this.giveVersion(tx, writer, source, shared));
		}, options);
	}

	/**
	 * Gives a peer this version of an attribute in place of the version that the peer has.
	 *
	 * @param shared the peer's copy of the other version
	 */
	async giveVersion(
		tx: WriteTransaction,
		writer: AttributeWriter,
		source: AttributeRecord,
		shared: AttributeRecord,
		isPlannedDeletionIgnored = false,
	): Promise<ToldSuccession> {
		const peer = shared.shareInfo?.peer ?? '';
		return await this.succeedShared(tx, writer, shared, (notificationReference) => ({
			content: source.content,
			shareInfo: copyInfoOf(source, { peer, notificationReference }, writer),
			isPlannedDeletionIgnored,
		}));
	}

	/**
	 * Gives an own relationship attribute a new `value`, `validFrom` and `validTo`, and notifies its
	 * peer.
	 *
	 * @param input `successorContent`
	 * @throws `error.runtime.validation.invalidPropertyValue`, `error.consumption.attributes.*` of
	 * consumption 8.6, `error.transport.messages.missingOrInactiveRelationship`,
	 * `error.transport.messages.peerIsDeleted`
	 */
	async succeedRelationshipAttribute(
		predecessorId: string,
		input: unknown,
		options: Cancellable = {},
	): Promise<NotifiedSuccessionDto> {
		requireAttributeId(predecessorId);
		const { successorContent } = readAttributeInput(relationshipSuccessorSchema, input);
		return await this.change(async (tx, writer) => {
			const predecessor = (await tx.attributes.get(predecessorId))?.record;
			if (predecessor === undefined) {
				throw successionProblem('predecessorDoesNotExist', { predecessorId });
			}
			const peer = predecessor.shareInfo?.peer;
			if (
				!isRelationshipAttribute(predecessor) ||
				!isOwnShared(predecessor, writer.ownAddress) ||
				peer === undefined
			) {
				throw successionProblem('predecessorIsNotOwnSharedRelationshipAttribute', {
					predecessorId,
				});
			}
			const { key, confidentiality, isTechnical, owner } = predecessor.content;
			const given = { ...successorContent, key, confidentiality, isTechnical, owner };
			const content = successorContentOf(() =>
				parseAs(relationshipAttribute, given, 'The attribute'),
			);
			const succeeded = await this.succeedShared(
				tx,
				writer,
				predecessor,
				(notificationReference) => ({
					content,
					shareInfo: shareInfoOf({ peer, notificationReference }),
				}),
			);
			return resultOf(succeeded);
		}, options);
	}

	/**
	 * Deletes an own attribute that a peer holds as well, with its predecessors, and notifies the
	 * peer.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.attributes.isNotOwnSharedAttribute`,
	 * `error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending`
	 */
	async deleteOwnShared(id: string, options: Cancellable = {}): Promise<DeletionDto> {
		return await this.delete(id, 'ownShared', options);
	}

	/**
	 * Deletes an attribute that a peer owns and has shared, and notifies the peer.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.attributes.isNotPeerSharedAttribute`,
	 * `error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending`
	 */
	async deletePeerShared(id: string, options: Cancellable = {}): Promise<DeletionDto> {
		return await this.delete(id, 'peerShared', options);
	}

	/**
	 * Deletes a relationship attribute from another relationship, and notifies the peer with whom
	 * this account shares it.
	 *
	 * @throws `error.runtime.recordNotFound`,
	 * `error.runtime.attributes.isNotThirdPartyRelationshipAttribute`,
	 * `error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending`
	 */
	async deleteThirdParty(id: string, options: Cancellable = {}): Promise<DeletionDto> {
		return await this.delete(id, 'thirdParty', options);
	}

	private async delete(
		id: string,
		kind: DeletionItemKind,
		options: Cancellable,
	): Promise<DeletionDto> {
		requireAttributeId(id);
		return await this.change(async (tx, writer): Promise<Telling<DeletionDto>> => {
			const record = requireKind(await findAttribute(tx, id), kind, writer.ownAddress);
			const peer = record.shareInfo?.peer ?? '';
			const relationship = (await currentRelationship(tx, peer))?.record;
			if (relationship?.status === 'Pending') throw whilePending(id);
			await deleteAttribute(tx, record, writer);
			if (!canBeTold(relationship)) return { result: {}, messages: [] };
			const generation = notifiedGeneration(relationship, writer);
			const { ownAddress } = writer;
			const item = deletionItem(record, kind, { generation, ownAddress });
			const { notificationId, message } = await this.tell(tx, writer, peer, item);
			return { result: { notificationId }, messages: [message] };
		}, options);
	}

	/** Prepares the notification with this item. */
	async tell(tx: WriteTransaction, { random }: AttributeWriter, peer: string, item: JsonObject) {
		const notificationId = newId('notification', random);
		const content = notificationOf(notificationId, item);
		return { notificationId, message: await this.dependencies.messages.prepare(tx, peer, content) };
	}

	/** Creates the next version of an own attribute that a peer holds, and prepares its message. */
	async succeedShared(
		tx: WriteTransaction,
		writer: AttributeWriter,
		predecessor: AttributeRecord,
		successorOf: (notificationId: string) => Omit<Successor, 'id' | 'stored'>,
	): Promise<ToldSuccession> {
		const peer = predecessor.shareInfo?.peer ?? '';
		const isIdentity = isIdentityAttribute(predecessor);
		const kind = isIdentity ? 'ownSharedIdentity' : 'ownSharedRelationship';
		const notificationId = newId('notification', writer.random);
		const succession = await succeed(tx, kind, predecessor.id, successorOf(notificationId), writer);
		const relationship = (await currentRelationship(tx, peer))?.record;
		requireAcceptable(succession.successor, relationship);
		const item = successionItem(succession, notifiedGeneration(relationship, writer));
		const content = notificationOf(notificationId, item);
		const message = await this.dependencies.messages.prepare(tx, peer, content);
		return { succession, notificationId, message };
	}

	/** Commits a change together with the messages about it, and sends these. */
	async change<Result>(
		work: (tx: WriteTransaction, writer: AttributeWriter) => Promise<Telling<Result>>,
		options: Cancellable,
	): Promise<Result> {
		const { store, messages, writer, logger } = this.dependencies;
		await messages.ready([], options);
		const { result, messages: prepared } = await store.transact(
			(tx) => work(tx, writer()),
			options,
		);
		const atOnce = new Semaphore(mostAtOnce);
		const sent = await Promise.allSettled(
			prepared.map((message) =>
				atOnce.run(() => sendNowOrLater(message, 'notification', logger, options), options),
			),
		);
		const refused = sent.find(({ status }) => status === 'rejected');
		if (refused?.status === 'rejected') throw refused.reason;
		return result;
	}
}

/**
 * Refuses a version that a wallet of version 7 would not take. It would not take later versions
 * either, because they build on this one.
 *
 * @throws `error.gateway.requests.notUnderstoodByPeer`
 */
function requireAcceptable(
	{ content }: AttributeRecord,
	relationship: RelationshipRecord | undefined,
): void {
	if (generationIn(relationship) !== 7) return;
	const text = refusedText(content);
	if (text !== undefined) throw refusedBy7(text, 'successorContent');
}

/** Finds the peer's copy of an earlier version. */
async function sharedBefore(
	tx: ReadTransaction,
	source: AttributeRecord,
	peer: string,
): Promise<AttributeRecord> {
	const facts = { attributeId: source.id };
	const copies = await sharedVersionsOf(tx, source, { peers: [peer], onlyLatest: true });
	if (copies.length === 0) {
		const message = `The peer has no version of the attribute '${source.id}'.`;
		throw attributeErrors.create('notSharedBefore', { message, facts });
	}
	const isGone = unless('DeletedByPeer', 'ToBeDeletedByPeer');
	const copy = copies.find((record) => !isGone(record));
	if (copy === undefined) {
		const message = `The peer has deleted its copy of the attribute '${source.id}', or is about to.`;
		throw attributeErrors.create('sharedCopyIsDeleted', { message, facts });
	}
	if (copy.shareInfo?.sourceAttribute !== source.id) return copy;
	const message = `The peer has the attribute '${source.id}' already.`;
	throw attributeErrors.create('alreadyShared', { message, facts });
}

/** Tells whether a notification can reach the peer. */
export function canBeTold(relationship: RelationshipRecord | undefined): boolean {
	const { status, peerDeletionInfo } = relationship ?? {};
	const isReachable = status === 'Active' || status === 'Terminated';
	return isReachable && peerDeletionInfo?.deletionStatus !== 'Deleted';
}

function resultOf({
	succession: { predecessor, successor },
	notificationId,
	message,
}: ToldSuccession): Telling<NotifiedSuccessionDto> {
	const versions = {
		predecessor: toAttributeDto(predecessor),
		successor: toAttributeDto(successor),
	};
	return { result: { ...versions, notificationId }, messages: [message] };
}
