import type { INodeProperties } from 'n8n-workflow';
import { binaryPropertyName } from './common';

export const qrCodeFormat: INodeProperties = {
	displayName: 'QR Code Content',
	name: 'qrCodeFormat',
	type: 'options',
	options: [
		{
			name: 'App Reference',
			value: 'reference',
			description:
				'Only for wallet apps of version 6, scanned inside the app; version 7 refuses it',
		},
		{
			name: 'Link',
			value: 'link',
			description:
				'For everybody: read by wallet apps of versions 6 and 7, and by any camera, which opens the app or a page that explains it',
		},
	],
	default: 'link',
};

/** Options of all operations that draw a QR code, in alphabetical order. */
export const qrCodeOptions: INodeProperties[] = [
	{
		displayName: 'QR Code Error Correction',
		name: 'qrCodeErrorCorrection',
		type: 'options',
		options: [
			{ name: 'Low (7%)', value: 'low' },
			{ name: 'Medium (15%)', value: 'medium' },
			{ name: 'Quartile (25%)', value: 'quartile' },
			{ name: 'High (30%)', value: 'high' },
		],
		default: 'medium',
		description:
			'How much of the code may be dirty or covered, for example by a logo. A higher level makes the squares smaller.',
	},
	{
		displayName: 'QR Code in JSON',
		name: 'qrCodeInJson',
		type: 'multiOptions',
		options: [
			{
				name: 'PNG as Data URL',
				value: 'dataUrl',
				description: "Field 'qrCodeDataUrl', for the address of an image in a web page",
			},
			{
				name: 'SVG',
				value: 'svg',
				description: "Field 'qrCodeSvg', to insert into HTML; stays sharp at any size",
			},
		],
		default: [],
		description:
			'Adds the QR code to the JSON output, to embed it in a web page or mail. The file is not affected.',
	},
	{
		displayName: 'QR Code Size',
		name: 'qrCodeSize',
		type: 'number',
		typeOptions: { minValue: 200, maxValue: 2000, numberPrecision: 0 },
		default: 400,
		description:
			'Width and height in pixels, from 200 to 2000. Without it each square of the code has 4 pixels, which makes about 250.',
	},
];

const whenDrawn = { displayOptions: { show: { drawQrCode: [true] } } };

/** Fields of an operation that draws the QR code of a record on request. */
export const qrCodeFields: INodeProperties[] = [
	{
		displayName: 'Draw QR Code',
		name: 'drawQrCode',
		type: 'boolean',
		default: false,
		description: 'Whether to draw the QR code of the link, as a PNG file, data URL or SVG',
	},
	{ ...qrCodeFormat, ...whenDrawn },
	{ ...binaryPropertyName, ...whenDrawn },
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		...whenDrawn,
		default: {},
		options: qrCodeOptions,
	},
];
