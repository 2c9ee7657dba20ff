import type { IBinaryData, IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { GatewayFacade } from '../../../core';

/** What an operation sees of the one item it works for. */
export interface OperationContext {
	readonly functions: IExecuteFunctions;
	readonly gateway: GatewayFacade;
	readonly itemIndex: number;
	/** aborts when the user stops the execution or it runs out of time */
	readonly signal: AbortSignal | undefined;
}

/** One result; the router links it to its input item. */
export interface OutputRecord {
	readonly json: IDataObject;
	readonly binary?: Record<string, IBinaryData>;
}

/** One operation: its fields and what it does for one item. */
export interface Operation {
	readonly properties: INodeProperties[];
	execute(context: OperationContext): Promise<OutputRecord[]>;
}
