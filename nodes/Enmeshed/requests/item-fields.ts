import type { INodeProperties } from 'n8n-workflow';
import { identityTypes } from '../descriptions/attribute-types';
import { consentFields } from '../descriptions/consent';
import { identityValueFields } from '../descriptions/identity-value';
import { fileFields } from '../descriptions/file-source';
import { attributeLocator } from '../descriptions/locators';
import {
	ownerField,
	relationshipAttributeFields,
	relationshipValueFields,
} from '../descriptions/relationship-value';
import { formFieldFields } from './form-field-fields';
import { itemKinds, type ItemKind } from './item-kinds';
import { entryOptions } from './entry-options';

/** Shows a field for entries of these kinds. */
const forKinds = (...kinds: ItemKind[]): { show: { kind: ItemKind[] } } => ({
	show: { kind: kinds },
});

const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	displayOptions: forKinds('formField', 'logIn'),
	default: '',
	required: true,
	placeholder: 'e.g. How did you hear of us?',
	description: 'What the person reads',
};

const freeText: INodeProperties = {
	displayName: 'Text',
	name: 'freeText',
	type: 'string',
	typeOptions: { rows: 3 },
	displayOptions: forKinds('freeText'),
	default: '',
	required: true,
	placeholder: 'e.g. What can we do for you?',
	description: 'What the person reads and answers',
};

/** Link to the issuer or the verifier of a credential. */
const credentialLink = (
	kind: ItemKind,
	field: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
): INodeProperties => ({
	...field,
	type: 'string',
	displayOptions: forKinds(kind),
	default: '',
	required: true,
});

const mustBeAccepted: INodeProperties = {
	displayName: 'Required',
	name: 'mustBeAccepted',
	type: 'boolean',
	default: true,
	description: 'Whether the peer can only accept the request together with this entry',
};

const group: INodeProperties = {
	displayName: 'Group',
	name: 'group',
	type: 'string',
	default: '',
	placeholder: 'e.g. Contact details',
	description: 'Entries of the same group are shown together, below this title',
};

/** Fields of an entry of any kind. */
export const itemFields: INodeProperties[] = [
	{
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		noDataExpression: true,
		options: [...itemKinds],
		default: 'askForConsent',
	},
	{
		displayName: 'Type',
		name: 'valueType',
		type: 'options',
		displayOptions: forKinds('askFor', 'askToOfferLater', 'create', 'propose'),
		options: identityTypes,
		default: 'GivenName',
	},
	{
		displayName: 'Types',
		name: 'valueTypes',
		type: 'multiOptions',
		displayOptions: forKinds('askForSeveral'),
		options: identityTypes,
		default: [],
		required: true,
		description: 'In the order in which you choose them',
	},
	...identityValueFields(forKinds('create', 'propose').show),
	{
		...attributeLocator(),
		displayOptions: forKinds('share'),
		description: 'One of your own attributes',
	},
	{
		...attributeLocator('searchSharedAttributes'),
		name: 'sharedAttribute',
		displayOptions: forKinds('askToDelete'),
		description: 'An attribute that you have shared with the peer',
	},
	...relationshipAttributeFields(
		forKinds(
			'askForRelationshipAttribute',
			'createRelationshipAttribute',
			'proposeRelationshipAttribute',
		).show,
	),
	// What an organisation keeps about a person, such as a customer number, is its own.
	ownerField(forKinds('createRelationshipAttribute').show, 'me'),
	ownerField(forKinds('askForRelationshipAttribute').show, 'peer'),
	...relationshipValueFields(
		forKinds('createRelationshipAttribute', 'proposeRelationshipAttribute').show,
	),
	...consentFields({ displayOptions: forKinds('askForConsent') }),
	title,
	...formFieldFields(forKinds('formField').show),
	freeText,
	credentialLink('offerCredential', {
		displayName: 'Credential Offer URL',
		name: 'credentialOfferUrl',
		placeholder: 'e.g. openid-credential-offer://?credential_offer_uri=…',
		description: 'Link of the issuer; the wallet follows it, this node does not',
	}),
	credentialLink('askForCredential', {
		displayName: 'Authorization Request URL',
		name: 'authorizationRequestUrl',
		placeholder: 'e.g. openid4vp://?client_id=…',
		description: 'Link of the verifier; the wallet follows it, this node does not',
	}),
	...fileFields('list', forKinds('handOverFile').show),
	mustBeAccepted,
	group,
	...entryOptions(forKinds),
];
