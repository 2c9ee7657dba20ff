import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { OutputRecord } from '../helpers/operation';
import type { NodeError } from '../helpers/to-node-error';

export function toRecord(json: object, binary?: Record<string, IBinaryData>): OutputRecord {
	return { json: { ...json } as IDataObject, ...(binary === undefined ? {} : { binary }) };
}

/** Links the results of one input item to it. */
export function linkTo(itemIndex: number, records: readonly OutputRecord[]): INodeExecutionData[] {
	return records.map((record) => ({ ...record, pairedItem: { item: itemIndex } }));
}

/**
 * Item for a failure in a workflow that continues. The engine recognizes it by `error` and then keeps
 * only the message of its JSON, so the message contains the code for workflows that branch on it.
 */
export function toErrorItem(error: NodeError, itemIndex: number): INodeExecutionData {
	const code = error.context['code'];
	if (typeof code === 'string') error.message = `${error.message} (${code})`;
	return { json: { error: error.message }, error, pairedItem: { item: itemIndex } };
}
