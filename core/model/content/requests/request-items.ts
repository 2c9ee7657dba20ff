import * as z from 'zod';
import type { JsonObject } from '../../json';
import { anyAttribute } from '../attributes';
import { checkConsent, consentShape } from '../consent';
import {
	contentType,
	namedType,
	tagged,
	type ContentType,
	type MemberCheck,
} from '../content-type';
import { version7RequestItemTypes } from '../content-types';
import { addressField, idField, objectField, textField } from '../fields';
import { fileReferenceField } from '../values/file-reference';
import { formFieldSettings } from '../values/form-field-settings';
import { objectMember } from '../members';
import {
	identityAttributeQuery,
	iqlQuery,
	relationshipAttributeQuery,
	thirdPartyRelationshipAttributeQuery,
} from './queries';

/** Members that requests, groups and items share (docs/protocol/content.md 5.1 to 5.3). */
export const descriptionShape = () => ({
	title: textField({ max: 200 }).optional(),
	description: textField({ max: 500 }).optional(),
});

/** Members that every item has, validated after its own members (docs/protocol/content.md 5.3). */
const itemShape = () => ({
	...descriptionShape(),
	mustBeAccepted: z.boolean(),
	metadata: objectField.nullish(),
	requireManualDecision: z.boolean().optional(),
});

/** Accepts the name that version 7 gives to the third party (docs/protocol/content.md 13.2). */
export function readThirdPartyOfVersion7(value: JsonObject): void {
	const named = value['initialAttributePeer'];
	if (named !== undefined && value['thirdPartyAddress'] === undefined) {
		value['thirdPartyAddress'] = named;
	}
}

const valueTypeOf = (attribute: JsonObject): unknown => objectMember(attribute, 'value')['@type'];

/**
 * The attribute's kind and value type must answer the query. All further conditions are rules for
 * proposing and accepting and do not concern the form (docs/protocol/consumption.md 6.7).
 */
const checkProposal: MemberCheck = (item, reportAt) => {
	const query = objectMember(item, 'query');
	const attribute = objectMember(item, 'attribute');
	const asksForRelationship = query['@type'] === 'RelationshipAttributeQuery';
	if ((attribute['@type'] === 'RelationshipAttribute') !== asksForRelationship) {
		reportAt('attribute', 'is of another kind than the query asks for');
		return;
	}
	const hints = objectMember(query, 'attributeCreationHints');
	const asked = query['valueType'] ?? hints['valueType'];
	if (asked !== undefined && asked !== valueTypeOf(attribute)) {
		reportAt('attribute', 'has another type of value than the query asks for');
	}
};

/**
 * Version 6 names the shared attribute in `sourceAttributeId`, version 7 in `attributeId`; the
 * member present decides the dialect of the answer.
 */
const shareAttributeRequestItem = contentType(
	'ShareAttributeRequestItem',
	() => ({
		attribute: anyAttribute,
		sourceAttributeId: idField.optional(),
		attributeId: idField.optional(),
		thirdPartyAddress: addressField.nullish(),
		...itemShape(),
	}),
	{
		adjust: (value) => {
			if (value['sourceAttributeId'] !== undefined) delete value['attributeId'];
			readThirdPartyOfVersion7(value);
		},
		check: (value, reportAt) => {
			if (value['sourceAttributeId'] === undefined && value['attributeId'] === undefined) {
				reportAt('sourceAttributeId', 'is missing');
			}
		},
	},
);

/** Request items in the order of docs/protocol/content.md 5.3. */
export const requestItems: readonly ContentType[] = [
	contentType('AuthenticationRequestItem', itemShape),
	contentType('ConsentRequestItem', () => ({ ...consentShape(), ...itemShape() }), {
		check: checkConsent,
	}),
	contentType('CreateAttributeRequestItem', () => ({ attribute: anyAttribute, ...itemShape() })),
	contentType('DeleteAttributeRequestItem', () => ({ attributeId: idField, ...itemShape() })),
	contentType('FormFieldRequestItem', () => {
		const { title: _optional, ...others } = itemShape();
		return {
			title: textField({ max: 200 }),
			settings: tagged(() => formFieldSettings),
			...others,
		};
	}),
	contentType('FreeTextRequestItem', () => ({ freeText: z.string(), ...itemShape() })),
	contentType(
		'ProposeAttributeRequestItem',
		() => ({
			query: tagged(() => [identityAttributeQuery, relationshipAttributeQuery, iqlQuery]),
			attribute: anyAttribute,
			...itemShape(),
		}),
		{ check: checkProposal },
	),
	contentType('ReadAttributeRequestItem', () => ({
		query: tagged(() => [
			identityAttributeQuery,
			relationshipAttributeQuery,
			thirdPartyRelationshipAttributeQuery,
			iqlQuery,
		]),
		...itemShape(),
	})),
	contentType('RegisterAttributeListenerRequestItem', () => ({
		query: tagged(() => [identityAttributeQuery, thirdPartyRelationshipAttributeQuery]),
		...itemShape(),
	})),
	shareAttributeRequestItem,
	contentType('TransferFileOwnershipRequestItem', () => ({
		fileReference: fileReferenceField(),
		ownershipToken: z.string().optional(),
		...itemShape(),
	})),
	...version7RequestItemTypes.map((name) => namedType(name)),
];
