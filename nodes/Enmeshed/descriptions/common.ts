import type { INodeProperties } from 'n8n-workflow';

/** Shows the fields only for the given operation of a resource. */
export function forOperation(
	resource: string,
	operation: string,
	properties: readonly INodeProperties[],
): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { ...property.displayOptions?.show, resource: [resource], operation: [operation] },
		},
	}));
}

export const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description: 'Max number of results to return',
};

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Makes an operation that sends something check it instead. */
export const onlyCheck: INodeProperties = {
	displayName: 'Only Check',
	name: 'onlyCheck',
	type: 'boolean',
	default: false,
	description: 'Whether to list every problem, without keeping or sending anything',
};

export const binaryPropertyName: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the QR code in',
};

export const inputBinaryPropertyName: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the input binary field that holds the file',
};

export const referenceField: INodeProperties = {
	displayName: 'Reference',
	name: 'reference',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://backbone.example.com/r/RLTa1B2c3D4e5F6g7H8i#…',
	description: 'The link or the text of the QR code that the peer shows',
};
