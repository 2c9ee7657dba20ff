import type { INodeProperties } from 'n8n-workflow';
import { propertiesOf } from '../../operation/operation';
import { download } from './download.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { upload } from './upload.operation';

export const fileOperations = {
	upload,
	download,
	getAll,
	get,
};

export const fileDescription: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['file'] } },
		options: [
			{
				name: 'Upload',
				value: 'upload',
				action: 'Upload file',
				description: 'Encrypt a file and store it at the Backbone, to attach or to share it',
			},
			{
				name: 'Download',
				value: 'download',
				action: 'Download file',
				description: 'Fetch and decrypt the content of a file that this account knows',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many files',
				description: 'List own files and files of peers, the newest first',
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get file',
				description: 'Show name, size, owner, link and QR code of a file, without its content',
			},
		],
		default: 'upload',
	},
	...propertiesOf(fileOperations),
];
