import { createHash } from 'node:crypto';
import type { INodeExecutionData } from 'n8n-workflow';
import type { OperationContext } from './operation';

type Functions = OperationContext['functions'];

/** What an expression `$("name")` of n8n gives, as far as it is used here. */
type LookAt = (name: string) => {
	readonly isExecuted: boolean;
	all(branchIndex: number, runIndex: number): INodeExecutionData[];
};

/**
 * Names one sending or upload, so that a repetition finds what was done instead of doing it again:
 *
 * - 'Retry On Fail' runs the whole node again within one execution.
 * - An event that is delivered again, because its execution failed or died, is another execution with
 *   the same events. Between the two a workflow may have read other data, so there the content is part
 *   of the name: what is said anew is sent, and the same is not said twice.
 * - A tool may be called several times for one item, so there the content is part of the name too.
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
	const events = startingEvents(functions, itemIndex);
	const parts = [
		functions.getInstanceId(),
		functions.getWorkflow().id ?? '',
		...(events ?? [executionId]),
		functions.getNode().id,
		String(itemIndex),
		String(runIndex),
		...(part === undefined ? [] : [part]),
		...(events !== undefined || isTool(functions) ? [JSON.stringify(content())] : []),
	];
	return { idempotencyKey: `n8n:${sha256(JSON.stringify(parts))}` };
}

export function sha256(content: string | Uint8Array): string {
	return createHash('sha256').update(content).digest('base64url');
}

/** The ids of the events with which a published Enmeshed Trigger has started the execution. */
function startingEvents(functions: Functions, itemIndex: number): string[] | undefined {
	// Somebody who tries a workflow out with the same sample event wants to see it happen each time.
	if (!['trigger', 'retry'].includes(functions.getMode())) return undefined;
	const lookAt = functions.getWorkflowDataProxy(itemIndex).$ as LookAt;
	for (const { name, type } of functions.getParentNodes(functions.getNode().name)) {
		if (!type.endsWith('.enmeshedTrigger') || !lookAt(name).isExecuted) continue;
		return lookAt(name)
			.all(0, 0)
			.map(({ json }) => String(json['id']));
	}
	return undefined;
}

/** Older hosts do not tell. */
function isTool(functions: Functions): boolean {
	return typeof functions.isToolExecution === 'function' && functions.isToolExecution();
}
