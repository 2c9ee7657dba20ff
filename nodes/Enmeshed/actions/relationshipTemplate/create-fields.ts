import type { INodeProperties } from 'n8n-workflow';
import { binaryPropertyName } from '../../descriptions/common';
import { expiryFields } from '../../descriptions/expiry';
import { protectionOptions } from '../../descriptions/protection';
import { purpose } from '../../descriptions/purpose';
import { qrCodeFormat, qrCodeOptions } from '../../descriptions/qr-code';
import { byLabel } from '../../requests/entry-options';
import { entryFields, formOnly, requestOptions } from '../../requests/request-fields';

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

/** Shown while a template with a password also asks people who are connected. */
export const acceptUnprovenAnswers: INodeProperties = {
	displayName: 'Accept Unproven Answers',
	name: 'acceptUnprovenAnswers',
	type: 'boolean',
	displayOptions: {
		show: { password: [{ _cnd: { exists: true } }] },
		hide: { '/askConnectedPeers': [false] },
	},
	default: false,
	description:
		'Whether answers of people who are connected already count. Their wallets ask for the password, but their answers come as messages, which cannot prove that: a connected person who has only seen the link could answer.',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: byLabel([
		{
			displayName: 'Max Number of Uses',
			name: 'maxNumberOfAllocations',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description: 'How many people can connect with this template. Without it there is no limit.',
		},
		...protectionOptions,
		acceptUnprovenAnswers,
		qrCodeFormat,
		...qrCodeOptions,
		...requestOptions,
	]),
};

/** The fields for the content of a template. */
export const contentFields: INodeProperties[] = [
	{
		displayName: 'Define Content',
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
		placeholder: 'e.g. Example Organisation asks you',
		description: 'Shown to the person who scans the QR code',
	},
	...formOnly(entryFields),
	{
		displayName: 'Ask Connected Peers Too',
		name: 'askConnectedPeers',
		type: 'boolean',
		displayOptions: useForm,
		default: false,
		description:
			'Whether peers that are connected already get the same request when they scan the code, for example to log in',
	},
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
];

/** The fields of Relationship Template > Create. */
export const createFields: INodeProperties[] = [
	...contentFields,
	purpose,
	...expiryFields('When this template expires and can no longer be used to connect'),
	binaryPropertyName,
	options,
];
