import * as z from 'zod';
import type { JsonObject } from '../json';
import { anyAttribute } from './attributes';
import { checkConsent, consentShape } from './consent';
import { contentType, namedType, tagged, type ContentType, type MemberCheck } from './content-type';
import { version7RequestItemTypes } from './content-types';
import { addressField, idField, objectField, textField } from './fields';
import { fileReferenceField } from './file-reference';
import { formFieldSettings } from './form-field-settings';
import { objectMember } from './members';
import {
	identityAttributeQuery,
	iqlQuery,
	relationshipAttributeQuery,
	thirdPartyRelationshipAttributeQuery,
} from './queries';

/** Members that requests, groups and items have (docs/protocol/content.md 5.1 to 5.3). */
export const descriptionShape = () => ({
	title: textField({ max: 200 }).optional(),
	description: textField({ max: 500 }).optional(),
});

/** Members that every item has, validated after its own (docs/protocol/content.md 5.3). */
const itemShape = () => ({
	...descriptionShape(),
	mustBeAccepted: z.boolean(),
	metadata: objectField.nullish(),
	requireManualDecision: z.boolean().optional(),
});

/** The name that version 7 gives to the third party (docs/protocol/content.md 13.2). */
export function readThirdPartyOfVersion7(value: JsonObject): void {
	const named = value['initialAttributePeer'];
	if (named !== undefined && value['thirdPartyAddress'] === undefined) {
		value['thirdPartyAddress'] = named;
	}
}

const valueTypeOf = (attribute: JsonObject): unknown => objectMember(attribute, 'value')['@type'];

/**
 * By its kind and its type of value the attribute must be an answer to the query. Whether it fits in
 * everything else is a rule of who proposes and who accepts, not of the form (consumption 6.7).
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
 * Version 6 names the shared attribute in `sourceAttributeId`, version 7 in `attributeId`; which of the
 * two is there tells in which dialect the answer is expected.
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

/** docs/protocol/content.md 5.3, in its order. One entry per type. */
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
