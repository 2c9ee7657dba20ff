import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { OutputRecord } from './operation';
import type { NodeError } from './to-node-error';

export function toRecord(json: object, binary?: Record<string, IBinaryData>): OutputRecord {
	return { json: { ...json } as IDataObject, ...(binary === undefined ? {} : { binary }) };
}

/** Results of one input item, linked to it. */
export function linkTo(itemIndex: number, records: readonly OutputRecord[]): INodeExecutionData[] {
	return records.map((record) => ({ ...record, pairedItem: { item: itemIndex } }));
}

/**
 * The item that stands for a failure when the workflow goes on. The engine recognises it by `error`
 * and then keeps nothing of the json but the message, so the code stands there for workflows that
 * branch on it.
 */
export function toErrorItem(error: NodeError, itemIndex: number): INodeExecutionData {
	const code = error.context['code'];
	if (typeof code === 'string') error.message = `${error.message} (${code})`;
	return { json: { error: error.message }, error, pairedItem: { item: itemIndex } };
}
