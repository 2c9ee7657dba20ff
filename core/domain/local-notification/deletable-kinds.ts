import type { AttributeRecord } from '../../model/record/attribute';
import { attributeErrors } from '../attribute/attribute-errors';
import { isOwnShared, isPeerShared, isThirdParty } from '../attribute/attribute-kinds';
import type { DeletionItemKind } from './sent-notification-items';

/* Refusals of deletions that a peer is told (docs/protocol/consumption.md 8.11). */

const kinds = {
	ownShared: { isOfKind: isOwnShared, problem: 'isNotOwnSharedAttribute' },
	peerShared: { isOfKind: isPeerShared, problem: 'isNotPeerSharedAttribute' },
	thirdParty: { isOfKind: isThirdParty, problem: 'isNotThirdPartyRelationshipAttribute' },
} as const;

/** @throws `error.runtime.attributes.isNot…` for an attribute of another kind */
export function requireKind(
	record: AttributeRecord,
	kind: DeletionItemKind,
	ownAddress: string,
): AttributeRecord {
	const { isOfKind, problem } = kinds[kind];
	if (isOfKind(record, ownAddress)) return record;
	throw attributeErrors.create(problem, {
		message: `The attribute '${record.id}' is of another kind.`,
		facts: { attributeId: record.id },
	});
}

export function whilePending(attributeId: string): Error {
	return attributeErrors.create('pendingRelationship', {
		message: `The relationship that the attribute '${attributeId}' is shared in is pending.`,
		facts: { attributeId },
	});
}
