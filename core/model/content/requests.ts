import { z } from 'zod';
import {
	identityAttribute,
	identityAttributeQuery,
	iqlQuery,
	relationshipAttribute,
	relationshipAttributeQuery,
	thirdPartyRelationshipAttributeQuery,
} from './attributes';
import { otherRequestItemTypes } from './content-types';
import {
	addressField,
	contentType,
	dateField,
	idField,
	namedType,
	objectField,
	tagged,
	textField,
	type ContentType,
} from './fields';

/** Members that every request item has, validated after its own (docs/protocol/content.md 5.3). */
const itemMembers = {
	title: textField(200).optional(),
	description: textField(500).optional(),
	mustBeAccepted: z.boolean(),
	metadata: objectField.nullish(),
	requireManualDecision: z.boolean().optional(),
};

const anyAttribute = tagged(() => [identityAttribute, relationshipAttribute]);

export const readAttributeRequestItem = contentType('ReadAttributeRequestItem', {
	query: tagged(() => [
		identityAttributeQuery,
		relationshipAttributeQuery,
		thirdPartyRelationshipAttributeQuery,
		iqlQuery,
	]),
	...itemMembers,
});

export const shareAttributeRequestItem = contentType('ShareAttributeRequestItem', {
	attribute: anyAttribute,
	sourceAttributeId: idField,
	thirdPartyAddress: addressField.nullish(),
	...itemMembers,
});

/** Items that can be created; the others are read as they are. */
export const builtRequestItems = {
	ReadAttributeRequestItem: readAttributeRequestItem,
	ShareAttributeRequestItem: shareAttributeRequestItem,
} as const satisfies Record<string, ContentType>;

const requestItems: readonly ContentType[] = [
	...Object.values(builtRequestItems),
	...otherRequestItemTypes.map((name) => namedType(name)),
];

/** docs/protocol/content.md 5.2; groups do not nest. */
export const requestItemGroup = contentType('RequestItemGroup', {
	title: textField(200).optional(),
	description: textField(500).optional(),
	items: z.array(tagged(() => requestItems)).min(1),
	metadata: objectField.nullish(),
});

/** docs/protocol/content.md 5.1 */
export const request = contentType('Request', {
	id: idField.nullish(),
	expiresAt: dateField.nullish(),
	items: z.array(tagged(() => [requestItemGroup, ...requestItems])).min(1),
	title: textField(200).optional(),
	description: textField(500).optional(),
	metadata: objectField.nullish(),
});
