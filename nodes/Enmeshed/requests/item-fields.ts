import type { INodeProperties } from 'n8n-workflow';
import { identityTypes } from '../descriptions/attribute-types';
import { consentFields } from '../descriptions/consent';
import { identityValueFields } from '../descriptions/identity-value';
import { attributeLocator, fileLocator } from '../descriptions/locators';
import {
	relationshipAttributeFields,
	relationshipValueFields,
} from '../descriptions/relationship-value';
import { formFieldFields } from './form-field-fields';
import { itemKinds, type ItemKind } from './item-kinds';
import { expression, queryFields } from './query-fields';

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

const mustBeAccepted: INodeProperties = {
	displayName: 'Must Be Accepted',
	name: 'mustBeAccepted',
	type: 'boolean',
	default: true,
	description: 'Whether the peer can only accept the request together with this entry',
};

const group: INodeProperties = {
	displayName: 'Group Title',
	name: 'group',
	type: 'string',
	default: '',
	placeholder: 'e.g. Contact details',
	description: 'Entries with the same group title are shown together',
};

const itemOptions: INodeProperties = {
	displayName: 'Entry Options',
	name: 'itemOptions',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Attribute Description',
			name: 'attributeDescription',
			type: 'string',
			default: '',
			description: 'What a relationship attribute is about; stored with the attribute',
		},
		{
			displayName: 'Description',
			name: 'description',
			type: 'string',
			default: '',
			description: 'Shown to the person below the title. At most 500 characters.',
		},
		expression,
		{
			displayName: 'Metadata',
			name: 'metadata',
			type: 'json',
			default: '{}',
			description: 'A JSON object of your own; software at the peer may read it',
		},
		{
			displayName: 'Require Manual Decision',
			name: 'requireManualDecision',
			type: 'boolean',
			default: true,
			description: 'Whether a person has to decide, even where the peer answers automatically',
		},
		{
			displayName: 'Tags',
			name: 'tags',
			type: 'string',
			default: '',
			placeholder: 'e.g. x:private, x:work',
			description:
				"Comma-separated tags that begin with 'x:'. A requested attribute must have one of them; a created or proposed attribute gets all.",
		},
		{
			displayName: 'Technical',
			name: 'isTechnical',
			type: 'boolean',
			default: false,
			description: 'Whether a created or proposed relationship attribute is hidden from people',
		},
		...queryFields,
	],
};

/** Fields of an entry of any kind. */
export const itemFields: INodeProperties[] = [
	{
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		noDataExpression: true,
		options: [...itemKinds],
		default: 'askFor',
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
		type: 'string',
		displayOptions: forKinds('askForSeveral'),
		default: '',
		required: true,
		placeholder: 'e.g. GivenName, EMailAddress',
		description:
			"Comma-separated types of attributes. Their labels, such as 'First Name', work as well.",
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
	...relationshipValueFields(
		forKinds('createRelationshipAttribute', 'proposeRelationshipAttribute').show,
	),
	...consentFields({ displayOptions: forKinds('askForConsent') }),
	title,
	...formFieldFields(forKinds('formField').show),
	freeText,
	{
		...fileLocator(),
		displayOptions: forKinds('handOverFile'),
		description: 'A file that you own. The peer must have a relationship with you.',
	},
	mustBeAccepted,
	group,
	itemOptions,
];
