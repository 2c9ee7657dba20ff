import type { INodeProperties } from 'n8n-workflow';
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
	askForRelationshipAttribute: valueOf('attributeTitle'),
	askForSeveral: valueOf('valueTypes'),
	askToDelete: `${valueOf('sharedAttribute')}?.cachedResultName`,
	askToOfferLater: nameIn('valueType'),
	create: nameIn('valueType'),
	createRelationshipAttribute: valueOf('attributeTitle'),
	formField: valueOf('title'),
	freeText: valueOf('freeText'),
	handOverFile: `${valueOf('file')}?.cachedResultName`,
	logIn: valueOf('title'),
	propose: nameIn('valueType'),
	proposeRelationshipAttribute: valueOf('attributeTitle'),
	share: `${valueOf('attribute')}?.cachedResultName`,
};
const details = Object.entries(about).map(([kind, detail]) => `"${kind}": ${detail}`);
const itemTitle = `={{ [${nameIn('kind')}, ({ ${details.join(', ')} })[$collection.item.value.kind]].filter(text => text).join(": ").slice(0, 80) }}`;

/** Items of the request. */
export const requestItems: INodeProperties = {
	displayName: 'Items',
	name: 'requestItems',
	type: 'fixedCollection',
	typeOptions: {
		multipleValues: true,
		sortable: true,
		multipleValueButtonText: 'Add Item',
		fixedCollection: { itemTitle },
	},
	default: {},
	placeholder: 'Add Item',
	description: 'What the peer is asked for and what it is offered, in the order it sees them',
	options: [{ displayName: 'Item', name: 'items', values: itemFields }],
};

/** Options of the request as a whole. */
export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Description',
			name: 'description',
			type: 'string',
			default: '',
			description: 'Shown to the person below the title. At most 500 characters.',
		},
		{
			displayName: 'Expires At',
			name: 'expiresAt',
			type: 'dateTime',
			default: '',
			description: 'When the request cannot be answered any more',
		},
		{
			displayName: 'Group Details',
			name: 'groups',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			placeholder: 'Add Group',
			description: 'Descriptions and metadata of groups',
			options: [
				{
					displayName: 'Group',
					name: 'groups',
					values: [
						{
							displayName: 'Group Title',
							name: 'title',
							type: 'string',
							default: '',
							required: true,
							placeholder: 'e.g. Contact details',
							description: 'The title that the entries of the group have',
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
			displayName: 'Metadata',
			name: 'metadata',
			type: 'json',
			default: '{}',
			description: 'A JSON object of your own; software at the peer may read it',
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			description: 'Shown to the person. At most 200 characters.',
		},
	],
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

/** Fields of an operation whose input is a request: a form, or JSON instead. */
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
	{ ...requestItems, displayOptions: { show: { contentMode: ['fields'] } } },
	{ ...requestOptions, displayOptions: { show: { contentMode: ['fields'] } } },
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
