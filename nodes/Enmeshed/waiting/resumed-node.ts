import type { INode, IWebhookFunctions } from 'n8n-workflow';
import type { NodeError } from '../errors/to-node-error';

/** Entry of the stack of an execution: a node to run. */
interface StackEntry {
	node?: INode;
	metadata?: object;
}

/** Part of n8n's functions that describes the nodes to run next; absent on other hosts. */
interface Resuming {
	readonly runExecutionData?: {
		readonly executionData?: { readonly nodeExecutionStack?: StackEntry[] };
	};
}

/**
 * Lets the node fail when the execution goes on, as n8n does for a sub-workflow that has failed.
 * Hosts without that feature lead the item to the error output, if the node has one.
 */
export function failResumedNode(functions: IWebhookFunctions, error: NodeError): void {
	const [resumed] = stackOf(functions);
	if (resumed !== undefined) resumed.metadata = { ...resumed.metadata, resumeError: error };
}

/**
 * Keeps further calls of the node in the same step of an agent. n8n disables the resumed node, so
 * that it does not run again. Entries for further calls refer to the same object: without a
 * question they would pass their input on as if it was an answer.
 */
export function keepFurtherCalls(functions: IWebhookFunctions): void {
	const [resumed, ...further] = stackOf(functions);
	const node = resumed?.node;
	if (resumed === undefined || node === undefined) return;
	if (!further.some((entry) => entry.node === node)) return;
	resumed.node = { ...node };
	delete node.disabled;
}

function stackOf(functions: IWebhookFunctions): StackEntry[] {
	const { runExecutionData }: IWebhookFunctions & Resuming = functions;
	return runExecutionData?.executionData?.nodeExecutionStack ?? [];
}
