import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { create } from './create.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getQrCode } from './getQrCode.operation';
import { loadFromReference } from './loadFromReference.operation';

export const tokenOperations = { create, get, getAll, getQrCode, loadFromReference };

export const tokenDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['token'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create token',
				description:
					'Put a file, a template or any JSON behind a link, with a password if you like',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get token',
				description: 'Show a token that is kept in this account, with its content',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many tokens',
				description: 'List the tokens that are kept in this account, the newest first',
			},
			{
				name: 'Get QR Code',
				value: 'getQrCode',
				action: 'Get token QR code',
				description: 'Draw the QR code of a token, as a PNG file, data URL or SVG',
			},
			{
				name: 'Load From Reference',
				value: 'loadFromReference',
				action: 'Load token from reference',
				description: "Open a peer's token by its link",
			},
		],
		default: 'create',
	},
	...propertiesOf(tokenOperations),
];
