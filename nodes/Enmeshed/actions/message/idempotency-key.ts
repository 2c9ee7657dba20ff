import { createHash } from 'node:crypto';
import type { OperationContext } from '../../helpers/operation';

/**
 * Names one sending within one execution, so that 'Retry On Fail', which runs the whole node again,
 * finds what was sent instead of sending it again. A tool may be called several times for one item,
 * so there the content is part of the name.
 *
 * @returns undefined when the execution has no id
 */
export function idempotencyKey(
	{ functions, itemIndex }: Pick<OperationContext, 'functions' | 'itemIndex'>,
	content: object,
): string | undefined {
	const executionId: string | undefined = functions.getExecutionId();
	if (executionId === undefined || executionId === '') return undefined;
	const runIndex: unknown = functions.getWorkflowDataProxy(itemIndex).$runIndex;
	const parts = [
		functions.getInstanceId(),
		functions.getWorkflow().id ?? '',
		executionId,
		functions.getNode().id,
		String(itemIndex),
		String(runIndex),
		...(isTool(functions) ? [JSON.stringify(content)] : []),
	];
	return `n8n:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
}

/** Older hosts do not tell. */
function isTool(functions: OperationContext['functions']): boolean {
	return typeof functions.isToolExecution === 'function' && functions.isToolExecution();
}
