import { createHash } from 'node:crypto';
import type { OperationContext } from './operation';

/**
 * Names one sending or upload within one execution, so that 'Retry On Fail', which runs the whole
 * node again, finds what was done instead of doing it again. A tool may be called several times for
 * one item, so there the content is part of the name.
 *
 * @param content asked for where it is part of the name only
 * @param part which of several uploads for one item it is
 * @returns nothing when the execution has no id
 */
export function idempotencyKey(
	{ functions, itemIndex }: Pick<OperationContext, 'functions' | 'itemIndex'>,
	content: () => unknown,
	part?: string,
): { idempotencyKey?: string } {
	const executionId: string | undefined = functions.getExecutionId();
	if (executionId === undefined || executionId === '') return {};
	const runIndex: unknown = functions.getWorkflowDataProxy(itemIndex).$runIndex;
	const parts = [
		functions.getInstanceId(),
		functions.getWorkflow().id ?? '',
		executionId,
		functions.getNode().id,
		String(itemIndex),
		String(runIndex),
		...(part === undefined ? [] : [part]),
		...(isTool(functions) ? [JSON.stringify(content())] : []),
	];
	return { idempotencyKey: `n8n:${sha256(JSON.stringify(parts))}` };
}

export function sha256(content: string | Uint8Array): string {
	return createHash('sha256').update(content).digest('base64url');
}

/** Older hosts do not tell. */
function isTool(functions: OperationContext['functions']): boolean {
	return typeof functions.isToolExecution === 'function' && functions.isToolExecution();
}
