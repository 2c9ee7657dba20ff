import { orProblem } from './attribute-answers';
import { type GatewayError } from '../../../base/errors';
import { parseInstant } from '../../../model/instant';
import type { RequestItemOf } from '../../../model/content/requests/request-items';
import type { AttributeRecord } from '../../../model/record/attribute';
import type { ReadTransaction } from '../../../store/store';
import { findAtPeer } from '../../attribute/attribute-ids';
import {
	isForwarded,
	isForwardedByPeer,
	isOwnShared,
	isPeerShared,
} from '../../attribute/attribute-kinds';
import { markDeletion, unless, type DeletionMark } from '../../attribute/deletion-info';
import { requestErrors } from '../request-errors';
import { accepted, answeredBy, invalidItem } from './answers';
import type {
	CheckDependencies,
	DecisionDependencies,
	Effect,
	ItemHandler,
	ResponseDependencies,
} from './item-handler';

type DeleteAttributeRequestItem = RequestItemOf<'DeleteAttributeRequestItem'>;

const acceptType = 'DeleteAttributeAcceptResponseItem';

/** Handles 'Please delete what I have shared' (docs/protocol/consumption.md 6.10). */
export const deleteAttributeHandler: ItemHandler<DeleteAttributeRequestItem> = {
	async checkOutgoing(item, context) {
		const record = await attributeOf(context.tx, item, context.peer);
		const reason = record === undefined ? 'it does not exist' : refusal(record, context);
		if (reason === undefined) return undefined;
		return invalidItem(
			`The attribute '${item.attributeId}' cannot be deleted at the peer: ${reason}.`,
		);
	},

	async applySent(item, context) {
		const record = await attributeOf(context.tx, item, context.peer);
		if (record === undefined) return;
		const mark = {
			deletionStatus: 'DeletionRequestSent',
			deletionDate: context.writer.now,
		} as const;
		const spared = unless('ToBeDeletedByPeer', 'DeletedByPeer');
		await orProblem(() => markDeletion(context.tx, record, mark, context.ownAddress, spared));
	},

	async checkAccept(item, { deletionDate }, context) {
		const refused = checkDate(deletionDate, context.nowMs);
		if (refused?.code === requestErrors.malformedParameters.code) return refused;
		const record = await attributeOf(context.tx, item, context.peer);
		// In version 6 such an attribute is answered like a missing one.
		if (!context.hasOneId || record === undefined || isSharedBy(record, context)) return refused;
		return invalidItem(
			`The attribute '${item.attributeId}' was not shared by the sender of the request.`,
		);
	},

	async accept(item, { deletionDate }, context) {
		const { tx, ownAddress, peer } = context;
		const record = await attributeOf(tx, item, peer);
		const date = parseInstant(String(deletionDate));
		if (record === undefined || date === undefined || !isSharedBy(record, context)) {
			return { response: accepted('AcceptResponseItem') };
		}
		const mark = { deletionStatus: 'ToBeDeleted', deletionDate: date } as const;
		await markDeletion(tx, record, mark, ownAddress);
		return { response: accepted(acceptType, { deletionDate: date }) };
	},

	checkResponse: (item, response) => answeredBy([acceptType, 'AcceptResponseItem'], item, response),

	async applyResponse(item, response, context) {
		if (response['@type'] !== acceptType) return {};
		const { deletionDate } = response;
		return await applyMark(item, { deletionStatus: 'ToBeDeletedByPeer', deletionDate }, context);
	},

	async applyRejection(item, context) {
		const { now } = context.writer;
		const mark = { deletionStatus: 'DeletionRequestRejected', deletionDate: now } as const;
		await applyMark(item, mark, context);
	},
};

/** Finds the attribute of an item that the peer has sent, or that was sent to it. */
async function attributeOf(
	tx: ReadTransaction,
	{ attributeId }: DeleteAttributeRequestItem,
	peer: string | undefined,
): Promise<AttributeRecord | undefined> {
	const shared = peer === undefined ? undefined : await findAtPeer(tx, peer, attributeId);
	return shared ?? (await tx.attributes.get(attributeId))?.record;
}

function refusal(
	record: AttributeRecord,
	{ ownAddress, peer, hasOneId }: CheckDependencies,
): string | undefined {
	const isForwardedTo = hasOneId && isForwarded(record);
	if (!isForwardedTo && !isOwnShared(record, ownAddress)) {
		return 'it is neither an own attribute that a peer has nor a forwarded attribute';
	}
	const status = record.deletionInfo?.deletionStatus;
	if (status === 'DeletedByPeer') return 'the peer has deleted it';
	if (status === 'ToBeDeletedByPeer') return 'the peer has agreed to delete it';
	return peer !== undefined && record.shareInfo?.peer === peer
		? undefined
		: 'it was not shared with the recipient';
}

/**
 * True for an attribute that the peer has shared and owns, or, in version 7, has forwarded; a peer
 * can request the deletion of such attributes only.
 */
function isSharedBy(
	record: AttributeRecord,
	{ peer, hasOneId }: Pick<DecisionDependencies, 'peer' | 'hasOneId'>,
): boolean {
	if (record.shareInfo?.peer !== peer) return false;
	return isPeerShared(record) || (hasOneId && isForwardedByPeer(record));
}

function checkDate(deletionDate: unknown, nowMs: number): GatewayError | undefined {
	if (typeof deletionDate !== 'string') {
		return requestErrors.create('malformedParameters', {
			message: "'deletionDate' is not valid: expected a date and time in ISO 8601 form.",
			facts: { field: 'deletionDate' },
		});
	}
	const date = parseInstant(deletionDate);
	if (date !== undefined && Date.parse(date) >= nowMs) return undefined;
	return requestErrors.create('invalidAcceptParameters', {
		message: "'deletionDate' is not valid: expected a date and time in the future.",
		facts: { field: 'deletionDate' },
	});
}

async function applyMark(
	item: DeleteAttributeRequestItem,
	mark: DeletionMark,
	context: ResponseDependencies,
): Promise<Effect> {
	const { tx, ownAddress, peer } = context;
	const record = await attributeOf(tx, item, peer);
	if (record === undefined || record.deletionInfo?.deletionStatus === 'DeletedByPeer') return {};
	const spared =
		mark.deletionStatus === 'DeletionRequestRejected'
			? unless('ToBeDeletedByPeer', 'DeletedByPeer')
			: unless('DeletedByPeer');
	// When the attribute has changed and cannot take the mark, the rest of the answer goes on.
	return await orProblem(() => markDeletion(tx, record, mark, ownAddress, spared));
}
