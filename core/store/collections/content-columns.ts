import { canonicalJson } from '../../base/canonical-json';
import { contactNames, contactValues } from '../../model/content/contact-search';
import { objectMember } from '../../model/content/members';
import { isJsonObject, ownMember, type JsonObject } from '../../model/json';
import type { AttributeRecord } from '../../model/record/attribute';
import { openUntil, type RequestRecord } from '../../model/record/request';
import type { Columns, Indexes } from './collection-declaration';
import { flag, member, sealedText, sealedValues, text } from './columns';

/* Columns that take their values from content that peers and users have written. */

function itemsOf(content: JsonObject | undefined): JsonObject[] {
	const items = ownMember(content, 'items');
	return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

function itemTypes(content: JsonObject | undefined): string[] {
	return itemsOf(content).flatMap((item) => member(item, '@type') ?? []);
}

/** Returns the types of the items inside groups. */
function innerItemTypes(content: JsonObject | undefined): string[] {
	return itemsOf(content).flatMap((item) => itemTypes(item));
}

export const attributeColumns = {
	createdAt: text((r) => r.createdAt),
	owner: sealedText((r) => member(r.content, 'owner')),
	contentType: text((r) => member(r.content, '@type')),
	valueType: text((r) => member(objectMember(r.content, 'value'), '@type')),
	key: sealedText((r) => member(r.content, 'key')),
	confidentiality: text((r) => member(r.content, 'confidentiality')),
	isTechnical: flag((r) => {
		const isTechnical = ownMember(r.content, 'isTechnical');
		return typeof isTechnical === 'boolean' ? isTechnical : undefined;
	}),
	validFrom: text((r) => member(r.content, 'validFrom')),
	validTo: text((r) => member(r.content, 'validTo')),
	wasViewedAt: text((r) => r.wasViewedAt),
	peer: sealedText((r) => r.shareInfo?.peer),
	sharedId: text((r) => r.shareInfo?.sharedId),
	requestReference: text((r) => r.shareInfo?.requestReference),
	notificationReference: text((r) => r.shareInfo?.notificationReference),
	sourceAttribute: text((r) => r.shareInfo?.sourceAttribute),
	thirdPartyAddress: sealedText((r) => r.shareInfo?.thirdPartyAddress),
	parentId: text((r) => r.parentId),
	succeeds: text((r) => r.succeeds),
	succeededBy: text((r) => r.succeededBy),
	deletionStatus: text((r) => r.deletionInfo?.deletionStatus),
	deletionDate: text((r) => r.deletionInfo?.deletionDate),
	isDefault: flag((r) => r.isDefault),
	// Canonical JSON, which finds attributes of equal value without comparing all.
	canonicalValue: sealedText((r) => canonicalJson(ownMember(r.content, 'value') ?? null)),
	tag: sealedValues(({ content }) => {
		const tags = ownMember(content, 'tags');
		return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
	}),
	// Tells a forwarded copy that was detached from what was forwarded to this account.
	sourceIsDeleted: { values: (r) => (r.shareInfo?.sourceIsDeleted === true ? ['true'] : []) },
	// Texts by which the contact that shared the attribute is found.
	contactValue: sealedValues(contactValues),
	contactName: sealedValues(contactNames),
} satisfies Columns<AttributeRecord>;

export const attributeIndexes = {
	all: [
		{ fields: ['valueType'], rows: [100] },
		{ fields: ['valueType', 'owner', 'peer'], rows: [100, 50, 25] },
		{ fields: ['canonicalValue'], rows: [2] },
		{ fields: ['owner', 'peer'], rows: [1_000, 500] },
		{ fields: ['createdAt'] },
	],
	sparse: [
		'key',
		'confidentiality',
		'isTechnical',
		'validFrom',
		'validTo',
		'wasViewedAt',
		'peer',
		'sharedId',
		'requestReference',
		'notificationReference',
		'sourceAttribute',
		'thirdPartyAddress',
		'parentId',
		'succeeds',
		'succeededBy',
		'deletionStatus',
		'deletionDate',
		'isDefault',
	],
} satisfies Indexes<keyof typeof attributeColumns>;

export const requestColumns = {
	isOwn: flag((r) => r.isOwn),
	peer: sealedText((r) => r.peer),
	status: text((r) => r.status),
	createdAt: text((r) => r.createdAt),
	wasAutomaticallyDecided: flag((r) => r.wasAutomaticallyDecided),
	expiresAt: text((r) => member(r.content, 'expiresAt')),
	// Expiry of requests that have not ended.
	openUntil: text(openUntil),
	sourceType: text((r) => r.source?.type),
	sourceReference: text((r) => r.source?.reference),
	responseCreatedAt: text((r) => r.response?.createdAt),
	responseSourceType: text((r) => r.response?.source?.type),
	responseSourceReference: text((r) => r.response?.source?.reference),
	responseResult: text((r) => r.response && member(r.response.content, 'result')),
	// The id is a field with several values, so that a list can combine one id with any other
	// condition.
	ownId: { values: (r) => [r.id] },
	itemType: { values: (r) => itemTypes(r.content) },
	innerItemType: { values: (r) => innerItemTypes(r.content) },
	responseItemType: { values: (r) => itemTypes(r.response?.content) },
	responseInnerItemType: { values: (r) => innerItemTypes(r.response?.content) },
} satisfies Columns<RequestRecord>;
