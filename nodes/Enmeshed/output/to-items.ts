import type { IBinaryData, INode, INodeExecutionData } from 'n8n-workflow';
import { defined } from '../helpers/members';
import type { OutputRecord } from '../operation/operation';
import type { NodeError } from '../errors/to-node-error';
import { isToolVariant } from '../operation/tool-variant';

export function toRecord(json: object, binary?: Record<string, IBinaryData>): OutputRecord {
	return { json: { ...json }, ...(binary === undefined ? {} : { binary }) };
}

/** Links the results of one input item to it. */
export function linkTo(itemIndex: number, records: readonly OutputRecord[]): INodeExecutionData[] {
	return records.map((record) => ({ ...record, pairedItem: { item: itemIndex } }));
}

/**
 * Item for a failure in a workflow that continues. The engine moves items with the property `error`
 * to the error output, and adds the fields of the input. If that property was still there
 * afterwards, the engine would reduce the JSON to the message; this one is lost when the engine
 * copies the item.
 */
export function toErrorItem(
	error: NodeError,
	itemIndex: number,
	node: Pick<INode, 'onError' | 'type'>,
): INodeExecutionData {
	const item = { json: toErrorJson(error), pairedItem: { item: itemIndex } };
	if (node.onError === 'continueRegularOutput' || isToolVariant(node)) return item;
	// Older workflows have another setting, with which the engine keeps this message only.
	error.message = item.json.error;
	return Object.defineProperty(item, 'error', { value: error, writable: true });
}

/**
 * What workflows can read of an error, in plain text. `error` contains the code of the core, too,
 * for workflows that show or compare only this text.
 */
export function toErrorJson({ message, description, context }: NodeError): {
	error: string;
	message: string;
	description?: string;
	code?: string;
} {
	const [linked] = / ?Code: (<a [^>]*>[^<]*<\/a>|\S+)$/.exec(description ?? '') ?? [];
	const reason = description?.slice(0, description.length - (linked?.length ?? 0));
	const code = typeof context['code'] === 'string' ? context['code'] : undefined;
	return {
		error: linked === undefined || code === undefined ? message : `${message} (${code})`,
		message,
		...defined({ description: reason === '' ? undefined : reason, code }),
	};
}
