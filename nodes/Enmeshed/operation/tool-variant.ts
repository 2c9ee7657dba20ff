import type { IExecuteFunctions, INode } from 'n8n-workflow';

/** True for the variants of the node that n8n offers to agents: the tool and the human review. */
export function isToolVariant({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}

/**
 * True if an agent runs the tool within its own step. False if n8n runs the tool as a step of its
 * own, and on older hosts, which lack this function.
 */
export function isToolExecution(functions: IExecuteFunctions): boolean {
	return typeof functions.isToolExecution === 'function' && functions.isToolExecution();
}
