import * as z from 'zod';
import type { JsonObject } from '../../json';
import { anyAttribute } from '../attributes';
import { checkConsent, consentShape } from '../consent';
import { contentType, tagged, type ContentOf, type Flat, type MemberCheck } from '../content-type';
import { addressField, idField, objectField, textField } from '../fields';
import { fileReferenceField } from '../values/file-reference';
import { formFieldSettings, type FormFieldSettings } from '../values/form-field-settings';
import { objectMember } from '../members';
import {
	identityAttributeQuery,
	iqlQuery,
	relationshipAttributeQuery,
	thirdPartyRelationshipAttributeQuery,
	type AttributeQuery,
	type IdentityAttributeQuery,
	type ThirdPartyRelationshipAttributeQuery,
} from './queries';

/** Members that requests, groups and items share (docs/protocol/content.md 5.1 to 5.3). */
export const descriptionShape = () => ({
	/** what a person reads above it */
	title: textField({ max: 200 }).optional(),
	/** explanation that a person reads */
	description: textField({ max: 500 }).optional(),
});

/** Members that every item has, validated after its own members (docs/protocol/content.md 5.3). */
const itemShape = () => ({
	...descriptionShape(),
	/** true if the request can only be accepted with it */
	mustBeAccepted: z.boolean(),
	/** free data of the sender, which no response repeats */
	metadata: objectField.nullish(),
	/** true if no rule may decide it */
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
 * Says why a proposed attribute cannot answer its query: its kind or its value type is another one;
 * undefined if it can. All further conditions are rules for proposing and accepting
 * (docs/protocol/consumption.md 6.7).
 */
export function mismatchOfProposal(query: JsonObject, attribute: JsonObject): string | undefined {
	const asksForRelationship = query['@type'] === 'RelationshipAttributeQuery';
	if ((attribute['@type'] === 'RelationshipAttribute') !== asksForRelationship) {
		return 'is of another kind than the query asks for';
	}
	const hints = objectMember(query, 'attributeCreationHints');
	const asked = query['valueType'] ?? hints['valueType'];
	return asked === undefined || asked === valueTypeOf(attribute)
		? undefined
		: 'has another type of value than the query asks for';
}

const checkProposal: MemberCheck = (item, reportAt) => {
	const reason = mismatchOfProposal(objectMember(item, 'query'), objectMember(item, 'attribute'));
	if (reason !== undefined) reportAt('attribute', reason);
};

const proposedQuery = (): z.ZodType<
	Exclude<AttributeQuery, ThirdPartyRelationshipAttributeQuery>
> => tagged(() => [identityAttributeQuery, relationshipAttributeQuery, iqlQuery]);

const readQuery = (): z.ZodType<AttributeQuery> =>
	tagged(() => [
		identityAttributeQuery,
		relationshipAttributeQuery,
		thirdPartyRelationshipAttributeQuery,
		iqlQuery,
	]);

const listenerQuery = (): z.ZodType<
	IdentityAttributeQuery | ThirdPartyRelationshipAttributeQuery
> => tagged(() => [identityAttributeQuery, thirdPartyRelationshipAttributeQuery]);

const settingsField = (): z.ZodType<FormFieldSettings> => tagged(() => formFieldSettings);

const proposeAttributeRequestItem = (rules: { readonly check?: MemberCheck } = {}) =>
	contentType(
		'ProposeAttributeRequestItem',
		() => ({
			/** what is asked for */
			query: proposedQuery(),
			/** proposed answer */
			attribute: anyAttribute,
			...itemShape(),
		}),
		rules,
	);

/**
 * Version 6 names the shared attribute in `sourceAttributeId`, version 7 in `attributeId`; the
 * member present decides the dialect of the answer.
 */
const shareAttributeRequestItem = contentType(
	'ShareAttributeRequestItem',
	() => ({
		/** attribute that is shared */
		attribute: anyAttribute,
		/** id of the shared attribute, as version 6 names it */
		sourceAttributeId: idField.optional(),
		/** id of the shared attribute, as version 7 names it */
		attributeId: idField.optional(),
		/** other side of the relationship from which it comes */
		thirdPartyAddress: addressField.nullish(),
		...itemShape(),
	}),
	{
		adjust: (value) => {
			const { sourceAttributeId: source } = value;
			if (source !== undefined && source !== value['attributeId']) delete value['attributeId'];
			readThirdPartyOfVersion7(value);
		},
		check: (value, reportAt) => {
			if (value['sourceAttributeId'] === undefined && value['attributeId'] === undefined) {
				reportAt('sourceAttributeId', 'is missing');
			}
		},
	},
);

/** Request items in the order of docs/protocol/content.md 5.3, then generation-7.md 7. */
export const requestItems = [
	contentType('AuthenticationRequestItem', itemShape),
	contentType(
		'ConsentRequestItem',
		() => ({
			...consentShape(),
			/** true if the wallet should ask for more than one button, for example for a ticked box */
			requiresInteraction: z.boolean().optional(),
			...itemShape(),
		}),
		{ check: checkConsent },
	),
	contentType('CreateAttributeRequestItem', () => ({
		/** attribute that the peer stores */
		attribute: anyAttribute,
		...itemShape(),
	})),
	contentType('DeleteAttributeRequestItem', () => ({
		/** id of the attribute that the peer deletes */
		attributeId: idField,
		...itemShape(),
	})),
	contentType('FormFieldRequestItem', () => {
		const { title: _optional, ...others } = itemShape();
		return {
			/** what a person reads above the field */
			title: textField({ max: 200 }),
			/** what may be entered */
			settings: settingsField(),
			...others,
		};
	}),
	contentType('FreeTextRequestItem', () => ({
		/** question that a person answers with a text */
		freeText: z.string(),
		...itemShape(),
	})),
	proposeAttributeRequestItem({ check: checkProposal }),
	contentType('ReadAttributeRequestItem', () => ({
		/** what is asked for */
		query: readQuery(),
		...itemShape(),
	})),
	contentType('RegisterAttributeListenerRequestItem', () => ({
		/** what the peer is to offer as soon as it exists */
		query: listenerQuery(),
		...itemShape(),
	})),
	shareAttributeRequestItem,
	contentType('TransferFileOwnershipRequestItem', () => ({
		/** reference of the file */
		fileReference: fileReferenceField(),
		/** token with which the peer becomes the owner; absent: it gets a copy */
		ownershipToken: z.string().optional(),
		...itemShape(),
	})),
	contentType('ShareCredentialOfferRequestItem', () => ({
		/** OpenID4VCI link from which a wallet gets credentials; neither read nor fetched here */
		credentialOfferUrl: z.string(),
		...itemShape(),
	})),
	contentType('ShareAuthorizationRequestRequestItem', () => ({
		/** OpenID4VP link to which a wallet presents a credential; neither read nor fetched here */
		authorizationRequestUrl: z.string(),
		...itemShape(),
	})),
];

/** One part of a request. */
export type RequestItem = Flat<ContentOf<(typeof requestItems)[number]>>;
export type RequestItemOf<Type extends RequestItem['@type']> = Extract<
	RequestItem,
	{ '@type': Type }
>;

/**
 * Items of requests that this account writes. A proposal that does not fit its query is readable
 * here, and refused with a code of its own by the rules for sending
 * (docs/protocol/interface-summary.md 7).
 */
export const ownRequestItems: typeof requestItems = requestItems.map((item) =>
	item.name === 'ProposeAttributeRequestItem' ? proposeAttributeRequestItem() : item,
);
