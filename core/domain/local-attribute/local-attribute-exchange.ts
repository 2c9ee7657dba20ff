import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import { relationshipAttribute } from '../../model/content/attributes';
import { parseAs } from '../../model/content/parse';
import { notifyInputSchema } from '../../model/input/attribute';
import { localRelationshipSuccessorSchema } from '../../model/input/local-attribute';
import type { AttributeRecord } from '../../model/record/attribute';
import type {
	LocalDeletionDto,
	LocalSuccessionDto,
	NotifiedVersionDto,
} from '../../model/record/local-attribute';
import type { ReadTransaction } from '../../store/store';
import { requireAttributeId } from '../attribute/attribute-input';
import { isRelationshipAttribute } from '../attribute/attribute-kinds';
import { shareInfoOf } from '../attribute/shared-attributes';
import {
	givesIdsItself,
	isAboutToBeDeleted,
	versionsOf,
} from '../attribute/succession/attribute-versions';
import { commonProblem } from '../attribute/succession/succession-rules';
import type { AttributeExchange } from '../local-notification/attribute-exchange';
import { deleteLocalAttribute } from './local-attribute-deletion';
import { toLocalAttributes, toLocalSuccession } from './local-attribute-dto';
import { localAttributeErrors, framed } from './local-attribute-errors';
import { kindOf, shownIdOf } from './local-attribute-kinds';
import { copiesFor } from './local-attribute-lists';
import { requireOwnIdentity, requireShown } from './local-attribute-lookup';
import { requireAllowedCharacters } from './local-attribute-rules';
import { parseInput } from '../validation';

export interface LocalAttributeExchangeDependencies {
	readonly exchange: AttributeExchange;
	readonly clock: Clock;
}

/**
 * Changes of attributes that peers are told, in the rules of version 7
 * (docs/protocol/connector-7.md 4.3). Change and messages are committed together.
 */
export class LocalAttributeExchange {
	constructor(private readonly dependencies: LocalAttributeExchangeDependencies) {}

	/**
	 * Gives an own relationship attribute a new value and tells its peer; key, owner, confidentiality
	 * and `isTechnical` stay. A planned deletion at the peer does not prevent it.
	 *
	 * @param input `successorContent`
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.runtime.attributes.isNotOwnRelationshipAttribute`,
	 * `error.runtime.requestDeserialization`, `error.consumption.attributes.*` of connector-7 4.3,
	 * `error.transport.messages.missingOrInactiveRelationship`,
	 * `error.transport.messages.peerIsDeleted`
	 */
	async succeed(
		found: AttributeRecord,
		input: unknown,
		options: Cancellable,
	): Promise<LocalSuccessionDto> {
		const { exchange, clock } = this.dependencies;
		const { successorContent } = parseInput(localRelationshipSuccessorSchema, input);
		return await exchange.change(async (tx, writer) => {
			const { ownAddress } = writer;
			// The version of this transaction, which another process may have succeeded meanwhile.
			const predecessor = (await tx.attributes.get(found.id))?.record ?? found;
			const peer = predecessor.shareInfo?.peer ?? '';
			if (
				kindOf(predecessor, ownAddress) !== 'OwnRelationshipAttribute' ||
				!isRelationshipAttribute(predecessor)
			) {
				const attributeId = shownIdOf(predecessor, ownAddress);
				throw localAttributeErrors.create('isNotOwnRelationship', {
					message: `The Attribute '${attributeId}' is not an OwnRelationshipAttribute.`,
					facts: { attributeId },
				});
			}
			const { key, confidentiality, isTechnical, owner } = predecessor.content;
			const given = { ...successorContent, key, confidentiality, isTechnical, owner };
			const content = parseAs(relationshipAttribute, given, 'The attribute');
			await refuseDeletedByPeer(tx, predecessor, writer.now);
			const candidates = { predecessor, successor: { ...predecessor, content } };
			if (commonProblem(candidates, true) === undefined) {
				requireAllowedCharacters(content, 'successor', clock);
			}
			const { succession, notificationId, message } = await exchange.succeedShared(
				tx,
				writer,
				predecessor,
				(notificationReference) => ({
					content,
					shareInfo: shareInfoOf({ peer, notificationReference }),
					isPlannedDeletionIgnored: true,
				}),
			);
			const result = await toLocalSuccession(tx, succession, ownAddress);
			return { result: { ...result, notificationId }, messages: [message] };
		}, options);
	}

	/**
	 * Sends this version of an own identity attribute to a peer that has an earlier version.
	 *
	 * @param input `peer`
	 * @throws `error.runtime.recordNotFound`, `error.runtime.attributes.isNotOwnIdentityAttribute`,
	 * `error.runtime.attributes.peerHasNoPreviousVersionOfAttribute`,
	 * `error.runtime.attributes.ownIdentityAttributeHasAlreadyBeenSharedWithPeer`,
	 * `error.runtime.attributes.successorOfOwnIdentityAttributeHasAlreadyBeenSharedWithPeer`,
	 * `error.transport.messages.missingOrInactiveRelationship`,
	 * `error.transport.messages.peerIsDeleted`
	 */
	async notifyPeer(
		id: string,
		input: unknown,
		options: Cancellable = {},
	): Promise<NotifiedVersionDto> {
		requireAttributeId(id);
		const { peer } = parseInput(notifyInputSchema, input);
		const { exchange } = this.dependencies;
		return await exchange.change(async (tx, writer) => {
			const source = await requireShown(tx, id, writer.ownAddress);
			requireOwnIdentity(source, writer.ownAddress);
			const { version, copy } = await versionBefore(tx, source, peer);
			const { notificationId, message } = await exchange.giveVersion(
				tx,
				writer,
				source,
				copy,
				true,
			);
			const [predecessor, successor] = await toLocalAttributes(
				tx,
				[version, source],
				writer.ownAddress,
			);
			if (
				predecessor?.['@type'] !== 'OwnIdentityAttribute' ||
				successor?.['@type'] !== 'OwnIdentityAttribute'
			) {
				throw new TypeError('Both versions of an own attribute are shown');
			}
			return { result: { predecessor, successor, notificationId }, messages: [message] };
		}, options);
	}

	/**
	 * Deletes an attribute of any kind with its earlier versions, and tells who has them.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.consumption.attributes.successorDoesNotExist`,
	 * `error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending`
	 */
	async delete(id: string, options: Cancellable = {}): Promise<LocalDeletionDto> {
		requireAttributeId(id);
		const { exchange } = this.dependencies;
		return await exchange.change(async (tx, writer) => {
			const record = await requireShown(tx, id, writer.ownAddress);
			return await deleteLocalAttribute(tx, record, writer, exchange);
		}, options);
	}
}

/** Wallets of version 6 refuse a new version of what they are about to delete, too. */
async function refuseDeletedByPeer(
	tx: ReadTransaction,
	record: AttributeRecord,
	now: string,
): Promise<void> {
	const { id, deletionInfo, shareInfo } = record;
	const isDoomed = isAboutToBeDeleted(record) && (await givesIdsItself(tx, shareInfo?.peer ?? ''));
	if (deletionInfo?.deletionStatus !== 'DeletedByPeer' && !isDoomed) return;
	const { code, meaning } = localAttributeErrors.deletedByPeer;
	throw localAttributeErrors.create('deletedByPeer', {
		message: framed(code, meaning, now),
		facts: { attributeId: id },
	});
}

/** Finds the newest version that the peer has, if that is an earlier one, and its copy. */
async function versionBefore(tx: ReadTransaction, source: AttributeRecord, peer: string) {
	const versions = await versionsOf(tx, source);
	const copies = await copiesFor(tx, peer, versions);
	// Version 6 refuses a new version of what it is about to delete.
	if (await givesIdsItself(tx, peer)) {
		for (const [id, copy] of copies) if (isAboutToBeDeleted(copy)) copies.delete(id);
	}
	const facts = { attributeId: source.id };
	const version = versions.find(({ id }) => copies.has(id));
	const copy = version && copies.get(version.id);
	if (version === undefined || copy === undefined) {
		throw localAttributeErrors.create('notSharedBefore', {
			message: `The peer '${peer}' doesn't have any previous version of the Attribute '${source.id}'. Either you haven't shared it before or the peer has deleted it.`,
			facts,
		});
	}
	if (version.id === source.id) {
		throw localAttributeErrors.create('alreadyShared', {
			message: `The OwnIdentityAttribute '${source.id}' has already been shared with peer '${peer}'.'.`,
			facts,
		});
	}
	if (versions.indexOf(version) < versions.findIndex(({ id }) => id === source.id)) {
		throw localAttributeErrors.create('successorAlreadyShared', {
			message: `A successor '${version.id}' of the OwnIdentityAttribute '${source.id}' has already been shared with peer '${peer}'.'.`,
			facts,
		});
	}
	return { version, copy };
}
