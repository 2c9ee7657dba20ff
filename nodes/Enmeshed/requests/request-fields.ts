import type { INodeProperties } from 'n8n-workflow';
import { identityTypes } from '../descriptions/attribute-types';
import { itemFields } from './item-fields';

/*
 * Title of an entry in the editor: its kind and its subject, with the names from the lists. The
 * editor keeps the values of hidden fields, so each kind names the field that applies.
 */
const nameIn = (field: string): string =>
	`$collection.item.properties.find(p => p.name === "${field}")?.options.find(o => o.value === $collection.item.value.${field})?.name`;
const valueOf = (field: string): string => `$collection.item.value.${field}`;
const about: Readonly<Record<string, string>> = {
	askFor: nameIn('valueType'),
	askForConsent: valueOf('consent'),
	askForCredential: valueOf('authorizationRequestUrl'),
	askForRelationshipAttribute: valueOf('attributeTitle'),
	askForSeveral: `[].concat(${valueOf('valueTypes')}).join(", ")`,
	askToDelete: `${valueOf('sharedAttribute')}?.cachedResultName`,
	askToOfferLater: nameIn('valueType'),
	create: nameIn('valueType'),
	createRelationshipAttribute: valueOf('attributeTitle'),
	formField: valueOf('title'),
	freeText: valueOf('freeText'),
	handOverFile: `${valueOf('fileSource')} === "input" ? ${valueOf('binaryPropertyName')} : ${valueOf('file')}?.cachedResultName`,
	logIn: valueOf('title'),
	offerCredential: valueOf('credentialOfferUrl'),
	propose: nameIn('valueType'),
	proposeRelationshipAttribute: valueOf('attributeTitle'),
	share: `${valueOf('attribute')}?.cachedResultName`,
};
const details = Object.entries(about).map(([kind, detail]) => `"${kind}": ${detail}`);
const itemTitle = `={{ [${nameIn('kind')}, ({ ${details.join(', ')} })[$collection.item.value.kind]].filter(text => text).join(": ").slice(0, 80) }}`;

/** Types of attributes that most requests ask for, without an entry for each. */
const askFor: INodeProperties = {
	displayName: 'Ask For',
	name: 'askForTypes',
	type: 'multiOptions',
	options: identityTypes,
	default: [],
	description: 'What the person shares. For everything else, add an entry below.',
};

/** Value that stands for all types under 'Ask For'. */
export const everyType = 'all';

const required: INodeProperties = {
	displayName: 'Required',
	name: 'requiredTypes',
	type: 'multiOptions',
	displayOptions: { show: { askForTypes: [{ _cnd: { exists: true } }] } },
	options: [{ name: 'All of Them', value: everyType }, ...identityTypes],
	default: [everyType],
	description: 'Which of them the person has to share; the others can be left out',
};

const entries: INodeProperties = {
	displayName: 'Entries',
	name: 'requestItems',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		multipleValueButtonText: 'Add Entry',
		fixedCollection: { itemTitle },
	},
	default: {},
	placeholder: 'Add Entry',
	description: 'What else the peer is asked for and what it is offered, in the order it sees them',
	options: [{ displayName: 'Entry', name: 'items', values: itemFields }],
};

/** Fields for what a request asks for and offers. */
export const entryFields: INodeProperties[] = [askFor, required, entries];

const onlyForm = { show: { '/contentMode': ['fields'] } };

/** Options of the request as a whole, for the options of an operation. */
export const requestOptions: INodeProperties[] = [
	{
		displayName: 'Groups',
		name: 'groups',
		type: 'fixedCollection',
		displayOptions: onlyForm,
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Group' },
		default: {},
		placeholder: 'Add Group',
		description: 'Descriptions and metadata of groups',
		options: [
			{
				displayName: 'Group',
				name: 'groups',
				values: [
					{
						displayName: 'Group',
						name: 'title',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. Contact details',
						description: "What the entries of the group have under 'Group'",
					},
					{
						displayName: 'Description',
						name: 'description',
						type: 'string',
						default: '',
					},
					{
						displayName: 'Metadata',
						name: 'metadata',
						type: 'json',
						default: '{}',
					},
				],
			},
		],
	},
	{
		displayName: 'Request Description',
		name: 'description',
		type: 'string',
		displayOptions: onlyForm,
		default: '',
		description: 'Shown to the person below the title of the request. At most 500 characters.',
	},
	{
		displayName: 'Request Expires At',
		name: 'expiresAt',
		type: 'dateTime',
		displayOptions: onlyForm,
		default: '',
		description: 'When the request cannot be answered any more',
	},
	{
		displayName: 'Request Metadata',
		name: 'metadata',
		type: 'json',
		displayOptions: onlyForm,
		default: '{}',
		description: 'A JSON object of your own; software at the peer may read it',
	},
	{
		displayName: 'Request Title',
		name: 'title',
		type: 'string',
		displayOptions: onlyForm,
		default: '',
		description: 'Shown to the person above the entries. At most 200 characters.',
	},
];

/** Options of an operation with a request. */
export const requestOptionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	displayOptions: { show: { contentMode: ['fields'] } },
	default: {},
	options: requestOptions,
};

const jsonExample = `{
  "items": [
    {
      "@type": "ReadAttributeRequestItem",
      "mustBeAccepted": true,
      "query": { "@type": "IdentityAttributeQuery", "valueType": "GivenName" }
    }
  ]
}`;

/**
 * Fields of an operation whose input is a request: a form, or JSON instead. The form is complete
 * with `requestOptions`.
 */
export const requestFields: INodeProperties[] = [
	{
		displayName: 'Define Request',
		name: 'contentMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Using Fields Below',
				value: 'fields',
				description: 'Pick what to ask for and what to offer',
			},
			{
				name: 'Using JSON',
				value: 'json',
				description: 'For everything the fields do not offer, such as queries of other kinds',
			},
		],
		default: 'fields',
	},
	...formOnly(entryFields),
	{
		displayName: 'Request',
		name: 'content',
		type: 'json',
		typeOptions: { rows: 10 },
		displayOptions: { show: { contentMode: ['json'] } },
		default: jsonExample,
		required: true,
		description: "A 'Request' with its items",
	},
];

/** Shows the fields only if the form is used. */
export function formOnly(fields: readonly INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, contentMode: ['fields'] },
		},
	}));
}
