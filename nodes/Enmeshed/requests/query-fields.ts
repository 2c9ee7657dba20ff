import type { INodeProperties } from 'n8n-workflow';

/** Fields for rarely used parts of queries, placed alphabetically among the options of an entry. */
export const expression: INodeProperties = {
	displayName: 'Expression (IQL)',
	name: 'expression',
	type: 'string',
	default: '',
	placeholder: "e.g. StreetAddress.city='Heidelberg'",
	description:
		"What the answer to 'Ask For' has to fit. The type is what a person enters who has nothing that fits.",
};

export const queryFields: INodeProperties[] = [
	{
		displayName: 'Third Parties',
		name: 'thirdParties',
		type: 'string',
		default: '',
		placeholder: 'e.g. did:e:backbone.example.com:dids:4f1c0a2b9d8e7f60513244',
		description:
			"Addresses, comma-separated. 'Ask For Relationship Attribute' then asks for what the peer has under the key with one of them, whoever of the two owns it.",
	},
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		description: 'Shown to the person. At most 200 characters.',
	},
	{
		displayName: 'Valid From',
		name: 'validFrom',
		type: 'dateTime',
		default: '',
		description:
			'From when on an attribute that is asked for may be valid. Wallets of version 7 do not look at it.',
	},
	{
		displayName: 'Valid To',
		name: 'validTo',
		type: 'dateTime',
		default: '',
		description:
			'Until when an attribute that is asked for may be valid. Wallets of version 7 do not look at it.',
	},
	{
		displayName: 'Value Hints',
		name: 'valueHints',
		type: 'collection',
		placeholder: 'Add Hint',
		default: {},
		description:
			'What the peer may enter for a relationship attribute that is asked for or proposed',
		options: [
			{
				displayName: 'Allowed Values',
				name: 'allowedValues',
				type: 'string',
				default: '',
				placeholder: 'e.g. Basic, Premium',
				description: 'Comma-separated',
			},
			{
				displayName: 'Help Text',
				name: 'helpText',
				type: 'string',
				default: '',
				placeholder: 'e.g. It stands on your last invoice',
			},
			{ displayName: 'Highest Number', name: 'highest', type: 'number', default: 0 },
			{ displayName: 'Lowest Number', name: 'lowest', type: 'number', default: 0 },
			{
				displayName: 'Pattern',
				name: 'pattern',
				type: 'string',
				default: '',
				placeholder: 'e.g. ^[0-9]{6}$',
				description: 'A regular expression that the text has to fit',
			},
		],
	},
];
