import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { download } from './download.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getQrCode } from './getQrCode.operation';
import { loadFromReference } from './loadFromReference.operation';
import { upload } from './upload.operation';

export const fileOperations = { download, get, getAll, getQrCode, loadFromReference, upload };

export const fileDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['file'] } },
		options: [
			{
				name: 'Download',
				value: 'download',
				action: 'Download file',
				description: 'Fetch and decrypt the content of a file that this account knows',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get file',
				description: 'Show name, size, owner and link of a file, without its content',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many files',
				description: 'List own files and files of peers, the newest first',
			},
			{
				name: 'Get QR Code',
				value: 'getQrCode',
				action: 'Get file QR code',
				description: 'Draw the QR code of a file, as a PNG file, data URL or SVG',
			},
			{
				name: 'Load From Reference',
				value: 'loadFromReference',
				action: 'Load file from reference',
				description: "Load a peer's file by its link, or by the link of a token for it",
			},
			{
				name: 'Upload',
				value: 'upload',
				action: 'Upload file',
				description: 'Encrypt a file and store it at the Backbone, to attach or to share it',
			},
		],
		default: 'upload',
	},
	...propertiesOf(fileOperations),
];
