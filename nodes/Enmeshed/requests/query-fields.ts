import type { INodeProperties } from 'n8n-workflow';
import { peerLocator } from '../descriptions/locators';

/** Fields for rarely used parts of queries, placed alphabetically among the options of an entry. */
export const expression: INodeProperties = {
	displayName: 'Expression (IQL)',
	name: 'expression',
	type: 'string',
	default: '',
	placeholder: "e.g. StreetAddress.city='Heidelberg'",
	description:
		"Expression that the answer to 'Ask For' must match. A person without a matching attribute enters a value of the type.",
};

/** Asks for an attribute of other relationships of the peer. */
export const thirdParties: INodeProperties = {
	displayName: 'Third Parties',
	name: 'thirdParties',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Third Party' },
	default: {},
	placeholder: 'Add Third Party',
	description:
		'Asks for the attribute with this key from the relationship of the peer with one of them, whichever side owns it',
	options: [
		{
			displayName: 'Third Party',
			name: 'people',
			values: [{ ...peerLocator(), displayName: 'Third Party', required: true }],
		},
	],
};

export const validity: INodeProperties[] = [
	{
		displayName: 'Valid From',
		name: 'validFrom',
		type: 'dateTime',
		default: '',
		description:
			'A requested attribute must be valid from this time or earlier. Wallets of version 7 ignore this.',
	},
	{
		displayName: 'Valid To',
		name: 'validTo',
		type: 'dateTime',
		default: '',
		description:
			'A requested attribute must be valid until this time or longer. Wallets of version 7 ignore this.',
	},
];

export const valueHints: INodeProperties = {
	displayName: 'Value Hints',
	name: 'valueHints',
	type: 'collection',
	placeholder: 'Add Hint',
	default: {},
	description: 'What the peer may enter for a requested or proposed relationship attribute',
	options: [
		{
			displayName: 'Allowed Values',
			name: 'allowedValues',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. Premium',
			description: 'One per line',
		},
		{
			displayName: 'Help Text',
			name: 'helpText',
			type: 'string',
			default: '',
			placeholder: 'e.g. You find it on your last invoice',
		},
		{ displayName: 'Highest Number', name: 'highest', type: 'number', default: 0 },
		{ displayName: 'Lowest Number', name: 'lowest', type: 'number', default: 0 },
		{
			displayName: 'Pattern',
			name: 'pattern',
			type: 'string',
			default: '',
			placeholder: 'e.g. ^[0-9]{6}$',
			description: 'A regular expression that the text must match',
		},
	],
};
