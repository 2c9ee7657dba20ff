import { NodeOperationError, type INode } from 'n8n-workflow';

const code = 'error.runtime.validation.invalidPropertyValue';

/** Error for a value of the form that a person has to correct, with the code of such errors. */
export function parameterError(
	node: INode,
	message: string,
	{ description, itemIndex }: { description: string; itemIndex?: number | undefined },
): NodeOperationError {
	const error = new NodeOperationError(node, message, {
		description,
		...(itemIndex === undefined ? {} : { itemIndex }),
		failure: { cause: 'configuration-invalid' },
	});
	error.context['code'] = code;
	return error;
}
