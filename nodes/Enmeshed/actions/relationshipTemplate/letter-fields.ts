import type { INodeProperties } from 'n8n-workflow';
import { binaryPropertyName } from '../../descriptions/common';

const onPaper = (...layouts: string[]) => ({ show: { layout: layouts } });

const options: INodeProperties[] = [
	{
		displayName: 'Date',
		name: 'date',
		type: 'string',
		default: '',
		placeholder: 'e.g. 28 November 2026',
		description: 'The date as it is printed',
	},
	{
		displayName: 'First Free Label',
		name: 'firstLabel',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 24, numberPrecision: 0 },
		default: 1,
		description: 'Where to begin on a sheet of which some labels are used already',
	},
	{
		displayName: 'Font Field Name',
		name: 'font',
		type: 'string',
		default: 'font',
		hint: 'The name of the input binary field that holds a font file (TTF, OTF, WOFF)',
		description:
			'For letters that the usual font does not have, for example Chinese. The usual font has Latin, Greek and Cyrillic letters.',
	},
	{
		displayName: 'Label Sheet',
		name: 'labelSheet',
		type: 'options',
		options: [
			{ name: '14 Labels', value: '2x7', description: 'Each 99.1 x 38.1 mm' },
			{ name: '21 Labels', value: '3x7', description: 'Each 63.5 x 38.1 mm' },
			{ name: '24 Labels', value: '3x8', description: 'Each 70 x 37 mm' },
			{ name: '8 Labels', value: '2x4', description: 'Each 99.1 x 67.7 mm' },
		],
		default: '3x8',
	},
	{
		displayName: 'Logo Field Name',
		name: 'logo',
		type: 'string',
		default: 'logo',
		hint: 'The name of the input binary field that holds a PNG or JPEG',
		description: 'The picture is printed at the top on the right',
	},
	{
		displayName: 'Print Link',
		name: 'showsLink',
		type: 'boolean',
		default: true,
		description: 'Whether to print the link as text beside the QR code',
	},
	{
		displayName: 'QR Code Size',
		name: 'codeSize',
		type: 'number',
		typeOptions: { minValue: 25, maxValue: 80 },
		default: 45,
		description: 'Width of the QR code in a letter in millimetres, from 25 to 80',
	},
	{
		displayName: 'Sender',
		name: 'sender',
		type: 'string',
		default: '',
		placeholder: 'e.g. City School, 1 Market Square, 12345 Newtown',
		description: 'One line above the address, which is seen through the window of the envelope',
	},
	{
		displayName: 'Word Before PIN',
		name: 'pinLabel',
		type: 'string',
		default: 'PIN',
	},
];

export const letterFields: INodeProperties[] = [
	{
		displayName: 'Print',
		name: 'layout',
		type: 'options',
		options: [
			{
				name: 'Letters',
				value: 'letter',
				description: 'A page for each person, for an envelope with a window (DIN 5008)',
			},
			{
				name: 'Letters with PIN Only',
				value: 'pinLetter',
				description: 'The same without QR code and link, to send the PIN apart',
			},
			{
				name: 'Labels',
				value: 'labels',
				description: 'Sheets of labels with a QR code and a few words each',
			},
		],
		default: 'letter',
	},
	{
		displayName: 'Link',
		name: 'link',
		type: 'string',
		default: '={{ $json.link }}',
		required: true,
		displayOptions: onPaper('letter', 'labels'),
		description: "The link of the QR code, as 'Create QR code to connect' returns it",
	},
	{
		displayName: 'Recipient',
		name: 'recipient',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.name }}',
		description: 'Name and address in lines; on a label the words beside the QR code',
	},
	{
		displayName: 'Subject',
		name: 'subject',
		type: 'string',
		default: '',
		placeholder: 'e.g. Your access to City School',
		displayOptions: onPaper('letter', 'pinLetter'),
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. Dear {{ $json.name }}, …',
		displayOptions: onPaper('letter', 'pinLetter'),
	},
	{
		displayName: 'Text Beside QR Code',
		name: 'caption',
		type: 'string',
		default: 'Scan this code with your wallet app, or open the link:',
		displayOptions: onPaper('letter'),
	},
	{
		displayName: 'PIN',
		name: 'pin',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.pin }}',
		description:
			'The PIN or password of the QR code, if it has one; on labels it stands beside the code',
	},
	{
		displayName: 'Print PIN',
		name: 'pinPlace',
		type: 'options',
		options: [
			{ name: 'Beside QR Code', value: 'letter' },
			{ name: 'Not at All', value: 'none', description: 'For example in a letter of its own' },
			{ name: 'On a Second Page', value: 'secondPage' },
		],
		default: 'secondPage',
		displayOptions: onPaper('letter'),
	},
	{
		displayName: 'PDF',
		name: 'documents',
		type: 'options',
		options: [
			{ name: 'One for All Items', value: 'one' },
			{ name: 'One per Item', value: 'each' },
		],
		default: 'one',
	},
	{ ...binaryPropertyName, hint: 'The name of the output binary field to put the PDF in' },
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options,
	},
];
