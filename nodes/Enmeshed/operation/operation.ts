import type { IBinaryData, IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { GatewayFacade } from '../../../core';
import type { OutputName } from '../schemas/output-schemas';

/** Call of an operation for one input item. */
export interface OperationCall {
	readonly functions: IExecuteFunctions;
	readonly gateway: GatewayFacade;
	readonly itemIndex: number;
	/** aborts when the user stops the execution or it times out */
	readonly signal: AbortSignal | undefined;
	/** hashes of files that this call has uploaded, by their ids, references and tokens */
	readonly uploads: Map<string, string>;
}

/**
 * Options of calls that check a request: what they notice is shown as a warning beside the output.
 */
export function withHints({ functions, signal }: OperationCall): {
	readonly signal: AbortSignal | undefined;
	onHint(message: string): void;
} {
	const onHint = (message: string): void =>
		functions.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	return { signal, onHint };
}

/** One result; the router links it to its input item. */
export interface OutputRecord {
	readonly json: IDataObject;
	readonly binary?: Record<string, IBinaryData>;
}

/** Operation with its fields, the schema of its output and its work for one item. */
export interface Operation {
	readonly properties: INodeProperties[];
	/** name instead of the schema itself, because the nodes load no schemas; the build resolves it */
	readonly output: OutputName;
	execute(call: OperationCall): Promise<OutputRecord[]>;
	/** makes results of all items together, after the last one; gets the call of the last item that succeeded */
	conclude?(call: OperationCall): Promise<OutputRecord[]>;
}

/** Operations of one resource by the names that n8n stores in workflows. */
export type Operations = Readonly<Record<string, Operation>>;

/** Fields of all operations of a resource, in the order of the resource. */
export function propertiesOf(operations: Operations): INodeProperties[] {
	return Object.values(operations).flatMap(({ properties }) => properties);
}
