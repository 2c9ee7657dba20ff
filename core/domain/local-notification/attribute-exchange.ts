import type { Cancellable } from '../../base/abort';
import { codeOf } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { DeletionDto } from '../../facade';
import { relationshipAttribute } from '../../model/content/attributes';
import { parseAs } from '../../model/content/parse';
import { newId } from '../../model/ids';
import type { AttributeRecord, NotifiedSuccessionDto } from '../../model/record/attribute';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { ReadTransaction, Store, WriteTransaction } from '../../store/store';
import { toAttributeDto } from '../attribute/attribute-dto';
import { deleteAttribute } from '../attribute/attribute-deletion';
import { attributeErrors } from '../attribute/attribute-errors';
import { notifyInputSchema, readInput, requireAttributeId } from '../attribute/attribute-input';
import {
	isOwnShared,
	isPeerShared,
	isRelationshipAttribute,
	isThirdParty,
} from '../attribute/attribute-kinds';
import { readRelationshipSuccessorInput, successorContentOf } from '../attribute/attribute-rules';
import { findAttribute, requireRepository } from '../attribute/attribute-service';
import { sharedVersionsOf } from '../attribute/attribute-versions';
import type { AttributeWriter } from '../attribute/attribute-writer';
import { unless } from '../attribute/deletion-info';
import { copyInfoOf, shareInfoOf } from '../attribute/shared-attributes';
import { succeed, successionProblem, type Succession } from '../attribute/succession';
import type { PreparedMessage, PreparedMessages } from '../message/prepared-messages';
import { currentRelationship } from '../current-relationship';
import {
	deletionItem,
	notificationOf,
	successionItem,
	type DeletionNotice,
} from './attribute-notices';

export interface AttributeExchangeParts {
	readonly store: Store;
	readonly messages: PreparedMessages;
	readonly writer: () => AttributeWriter;
	readonly logger: Logger;
}

/** What a change has to tell, and to whom. */
interface Telling<Result> {
	readonly result: Result;
	readonly message?: PreparedMessage;
}

/**
 * Changes of attributes that a peer is told of (docs/protocol/consumption.md 8.7, 8.8, 8.11). The change
 * and the message are committed together: the peer learns of it, whatever dies in between.
 */
export class AttributeExchange {
	constructor(private readonly parts: AttributeExchangeParts) {}

	/**
	 * Gives a peer that has an earlier version of an own attribute this one.
	 *
	 * @param input `peer`
	 * @throws `error.runtime.recordNotFound`, `error.runtime.attributes.isNotRepositoryAttribute`,
	 * `error.runtime.attributes.noPreviousVersionOfRepositoryAttributeHasBeenSharedWithPeerBefore`,
	 * `error.runtime.attributes.cannotSucceedAttributesWithDeletionInfo`,
	 * `error.runtime.attributes.repositoryAttributeHasAlreadyBeenSharedWithPeer`,
	 * `error.consumption.attributes.*` of consumption 8.6,
	 * `error.transport.messages.missingOrInactiveRelationship`, `error.transport.messages.peerIsDeleted`
	 */
	async notifyPeer(
		id: string,
		input: unknown,
		options: Cancellable = {},
	): Promise<NotifiedSuccessionDto> {
		requireAttributeId(id);
		const { peer } = readInput(notifyInputSchema, input);
		return await this.change(async (tx, writer) => {
			const source = requireRepository(await findAttribute(tx, id), writer.ownAddress);
			const shared = await sharedBefore(tx, source, peer);
			return await this.succeedShared(tx, writer, shared, (notificationReference) => ({
				content: source.content,
				shareInfo: copyInfoOf(source, { peer, notificationReference }),
			}));
		}, options);
	}

	/**
	 * Gives a relationship attribute of our own new content, and tells its peer: `value`, `validFrom`,
	 * `validTo`.
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
		const { successorContent } = readRelationshipSuccessorInput(input);
		return await this.change(async (tx, writer) => {
			const predecessor = (await tx.attributes.get(predecessorId))?.record;
			if (predecessor === undefined) {
				throw successionProblem('predecessorDoesNotExist', { predecessorId });
			}
			const peer = predecessor.shareInfo?.peer;
			const isOurs =
				isRelationshipAttribute(predecessor) && isOwnShared(predecessor, writer.ownAddress);
			if (!isOurs || peer === undefined) {
				throw successionProblem('predecessorIsNotOwnSharedRelationshipAttribute', {
					predecessorId,
				});
			}
			const { key, confidentiality, isTechnical, owner } = predecessor.content;
			const given = { ...successorContent, key, confidentiality, isTechnical, owner };
			const content = successorContentOf(() =>
				parseAs(relationshipAttribute, given, 'The attribute'),
			);
			return await this.succeedShared(tx, writer, predecessor, (notificationReference) => ({
				content,
				shareInfo: shareInfoOf({ peer, notificationReference }),
			}));
		}, options);
	}

	/**
	 * Deletes an own attribute that a peer has, with the versions before it, and tells the peer.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.attributes.isNotOwnSharedAttribute`,
	 * `error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending`
	 */
	async deleteOwnShared(id: string, options: Cancellable = {}): Promise<DeletionDto> {
		return await this.delete(id, 'ownShared', options);
	}

	/**
	 * Deletes what a peer has shared of its own, and tells it.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.runtime.attributes.isNotPeerSharedAttribute`,
	 * `error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending`
	 */
	async deletePeerShared(id: string, options: Cancellable = {}): Promise<DeletionDto> {
		return await this.delete(id, 'peerShared', options);
	}

	/**
	 * Deletes a relationship attribute of another relationship, and tells whom we share it with.
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
		notice: DeletionNotice,
		options: Cancellable,
	): Promise<DeletionDto> {
		requireAttributeId(id);
		return await this.change(async (tx, writer): Promise<Telling<DeletionDto>> => {
			const record = requireKind(await findAttribute(tx, id), notice, writer.ownAddress);
			const peer = record.shareInfo?.peer ?? '';
			const relationship = (await currentRelationship(tx, peer))?.record;
			if (relationship?.status === 'Pending') throw whilePending(id);
			await deleteAttribute(tx, record, writer);
			if (!canBeTold(relationship)) return { result: {} };
			const item = deletionItem(record, notice, relationship?.peerGeneration);
			const notificationId = newId('notification', writer.random);
			const content = notificationOf(notificationId, item);
			const message = await this.parts.messages.prepare(tx, peer, content);
			return { result: { notificationId }, message };
		}, options);
	}

	private async succeedShared(
		tx: WriteTransaction,
		writer: AttributeWriter,
		predecessor: AttributeRecord,
		successorOf: (notificationId: string) => Pick<AttributeRecord, 'content' | 'shareInfo'>,
	): Promise<Telling<NotifiedSuccessionDto>> {
		const peer = predecessor.shareInfo?.peer ?? '';
		const isIdentity = predecessor.content['@type'] === 'IdentityAttribute';
		const kind = isIdentity ? 'ownSharedIdentity' : 'ownSharedRelationship';
		const notificationId = newId('notification', writer.random);
		const succession = await succeed(tx, kind, predecessor.id, successorOf(notificationId), writer);
		const relationship = (await currentRelationship(tx, peer))?.record;
		const item = successionItem(succession, relationship?.peerGeneration);
		const content = notificationOf(notificationId, item);
		const message = await this.parts.messages.prepare(tx, peer, content);
		return { result: { ...dtoOf(succession), notificationId }, message };
	}

	private async change<Result>(
		work: (tx: WriteTransaction, writer: AttributeWriter) => Promise<Telling<Result>>,
		options: Cancellable,
	): Promise<Result> {
		const { store, messages, writer } = this.parts;
		await messages.ready([], options);
		const { result, message } = await store.transact((tx) => work(tx, writer()), options);
		if (message !== undefined) await this.send(message, options);
		return result;
	}

	/** What was changed is changed: a message that could not be sent yet goes with the next sync. */
	private async send({ intentId, send }: PreparedMessage, options: Cancellable): Promise<void> {
		try {
			await send(options);
		} catch (error) {
			if (codeOf(error) !== 'error.gateway.messages.outcomeUnknown') throw error;
			const facts = { intentId, reason: String(error) };
			this.parts.logger.warn('a notification waits for the next sync', facts);
		}
	}
}

/** The copy that the peer has of an earlier version. */
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

const kinds = {
	ownShared: { isOfKind: isOwnShared, problem: 'isNotOwnSharedAttribute' },
	peerShared: { isOfKind: isPeerShared, problem: 'isNotPeerSharedAttribute' },
	thirdParty: { isOfKind: isThirdParty, problem: 'isNotThirdPartyRelationshipAttribute' },
} as const;

function requireKind(
	record: AttributeRecord,
	notice: DeletionNotice,
	ownAddress: string,
): AttributeRecord {
	const { isOfKind, problem } = kinds[notice];
	if (isOfKind(record, ownAddress)) return record;
	throw attributeErrors.create(problem, {
		message: `The attribute '${record.id}' is of another kind.`,
		facts: { attributeId: record.id },
	});
}

function whilePending(attributeId: string): Error {
	return attributeErrors.create('pendingRelationship', {
		message: `The relationship that the attribute '${attributeId}' is shared in is pending.`,
		facts: { attributeId },
	});
}

function canBeTold(relationship: RelationshipRecord | undefined): boolean {
	const { status, peerDeletionInfo } = relationship ?? {};
	const isReachable = status === 'Active' || status === 'Terminated';
	return isReachable && peerDeletionInfo?.deletionStatus !== 'Deleted';
}

function dtoOf({ predecessor, successor }: Succession) {
	return { predecessor: toAttributeDto(predecessor), successor: toAttributeDto(successor) };
}
