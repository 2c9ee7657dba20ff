import type { INodeProperties } from 'n8n-workflow';
import { binaryPropertyName, qrCodeFormat } from '../../descriptions/common';
import { askFor, share } from './request-form';

const jsonExample = `{
  "@type": "RelationshipTemplateContent",
  "title": "Connect with us",
  "onNewRelationship": {
    "@type": "Request",
    "items": [
      {
        "@type": "ReadAttributeRequestItem",
        "mustBeAccepted": true,
        "query": { "@type": "IdentityAttributeQuery", "valueType": "GivenName" }
      }
    ]
  }
}`;

const useForm = { show: { contentMode: ['fields'] } };
const useJson = { show: { contentMode: ['json'] } };

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'Max Number of Uses',
			name: 'maxNumberOfAllocations',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description: 'How many people can connect with this template. Without it there is no limit.',
		},
		{
			displayName: 'Only for Address',
			name: 'forIdentity',
			type: 'string',
			default: '',
			placeholder: 'e.g. did:e:backbone.example.com:dids:4f1c0a2b9d8e7f60513244',
			description: 'Address of the only identity that can open the template',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Needed to open the template. 4 to 16 digits are offered as a PIN.',
		},
		{
			displayName: 'Password Was Sent By',
			name: 'passwordLocationIndicator',
			type: 'options',
			options: [
				{ name: 'Email', value: 'Email' },
				{ name: 'Letter', value: 'Letter' },
				{ name: 'Registration Letter', value: 'RegistrationLetter' },
				{ name: 'Text Message', value: 'SMS' },
				{ name: 'Website', value: 'Website' },
			],
			default: 'Email',
			description: 'Tells the person where to look for the password',
		},
		qrCodeFormat,
	],
};

/** The fields of Relationship Template > Create. */
export const createFields: INodeProperties[] = [
	{
		displayName: 'Define Content',
		name: 'contentMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Using Fields Below',
				value: 'fields',
				description: 'Pick what to ask for and what to share',
			},
			{
				name: 'Using JSON',
				value: 'json',
				description: 'For everything the fields do not offer',
			},
		],
		default: 'fields',
	},
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		displayOptions: useForm,
		default: '',
		required: true,
		placeholder: 'e.g. Connect with Example Organisation',
		description: 'Shown to the person who scans the QR code',
	},
	{ ...askFor, displayOptions: useForm },
	{ ...share, displayOptions: useForm },
	{
		displayName: 'Content',
		name: 'content',
		type: 'json',
		typeOptions: { rows: 10 },
		displayOptions: useJson,
		default: jsonExample,
		required: true,
		description:
			"A 'RelationshipTemplateContent', or an 'ArbitraryRelationshipTemplateContent' for other software",
	},
	{
		displayName: 'Expires',
		name: 'expires',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'After Some Days', value: 'afterDays' },
			{ name: 'On a Date', value: 'onDate' },
		],
		default: 'afterDays',
		description: 'When nobody can connect with this template any more',
	},
	{
		displayName: 'Days Until Expiry',
		name: 'expiresInDays',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { expires: ['afterDays'] } },
		default: 30,
	},
	{
		displayName: 'Expires At',
		name: 'expiresAt',
		type: 'dateTime',
		displayOptions: { show: { expires: ['onDate'] } },
		default: '',
		required: true,
		description: 'Without an offset this is a time in the time zone of the workflow',
	},
	binaryPropertyName,
	options,
];
