import { membersOf } from '../../model/json';
import type {
	AttributeDto,
	AttributeListenerDto,
	AttributeListenerRecord,
	AttributeRecord,
	AttributeWithoutOwnerDto,
	ShareInfo,
	StoredShareInfo,
} from '../../model/record/attribute';

/**
 * Converts a record to the form of docs/protocol/consumption.md 7.1; the interface summary adds
 * `owner`.
 */
export function toAttributeDto(record: AttributeRecord): AttributeDto {
	return { ...toAttributeWithoutOwnerDto(record), owner: record.content.owner };
}

/** Converts a record to the form in events. */
export function toAttributeWithoutOwnerDto(record: AttributeRecord): AttributeWithoutOwnerDto {
	return membersOf<AttributeWithoutOwnerDto>({
		id: record.id,
		createdAt: record.createdAt,
		content: record.content,
		parentId: record.parentId,
		isDefault: record.isDefault,
		succeeds: record.succeeds,
		succeededBy: record.succeededBy,
		wasViewedAt: record.wasViewedAt,
		shareInfo: record.shareInfo && toShareInfo(record.shareInfo),
		deletionInfo: record.deletionInfo,
	});
}

function toShareInfo(stored: StoredShareInfo): ShareInfo {
	return membersOf<ShareInfo>({
		peer: stored.peer,
		requestReference: stored.requestReference,
		notificationReference: stored.notificationReference,
		sourceAttribute: stored.sourceAttribute,
		thirdPartyAddress: stored.thirdPartyAddress,
	});
}

export function toAttributeListenerDto(listener: AttributeListenerRecord): AttributeListenerDto {
	return { id: listener.id, query: listener.query, peer: listener.peer };
}
