import type { INodeProperties } from 'n8n-workflow';
import { inputBinaryPropertyName } from './common';
import { fileLocator } from './locators';

type Show = Readonly<Record<string, string[]>>;

/** Fields for a file of the input item, or for one from the list of uploaded and loaded files. */
export function fileFields(usual: 'input' | 'list', show: Show = {}): INodeProperties[] {
	const from = (fileSource: 'input' | 'list') => ({
		displayOptions: { show: { ...show, fileSource: [fileSource] } },
	});
	return [
		{
			displayName: 'File From',
			name: 'fileSource',
			type: 'options',
			displayOptions: { show },
			options: [
				{ name: 'Input', value: 'input', description: 'A file of the input item; it is uploaded' },
				{ name: 'List', value: 'list', description: 'An uploaded or loaded file' },
			],
			default: usual,
		},
		{ ...fileLocator(), ...from('list') },
		{ ...inputBinaryPropertyName, ...from('input') },
	];
}
