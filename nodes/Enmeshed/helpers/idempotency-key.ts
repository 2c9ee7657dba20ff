import { createHash } from 'node:crypto';
import type { INodeExecutionData } from 'n8n-workflow';
import type { OperationCall } from './operation';
import { isToolExecution } from './tool-variant';

type Functions = OperationCall['functions'];

/** The part of the value of an n8n expression `$("name")` that is used here. */
type LookAt = (name: string) => {
	readonly isExecuted: boolean;
	all(branchIndex: number, runIndex: number): INodeExecutionData[];
};

/**
 * Identifies a sending or an upload, so that a repetition finds the existing result instead of
 * repeating the operation:
 *
 * - 'Retry On Fail' runs the whole node again within one execution.
 * - An event that is delivered again, because its execution failed or died, is another execution with
 *   the same events. In between, the workflow may have read other data, so the content is part of the
 *   key: new content is sent, and the same content is not sent twice.
 * - A tool may be called several times for one item, so the content is part of its key, too.
 *
 * @param content called only if the content is part of the key
 * @param part identifies one of several uploads for one item
 * @returns an empty object if the execution has no id
 */
export function idempotencyKey(
	{ functions, itemIndex }: Pick<OperationCall, 'functions' | 'itemIndex'>,
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
		...(events !== undefined || isToolExecution(functions) ? [JSON.stringify(content())] : []),
	];
	return { idempotencyKey: `n8n:${sha256(JSON.stringify(parts))}` };
}

export function sha256(content: string | Uint8Array): string {
	return createHash('sha256').update(content).digest('base64url');
}

/** Ids of the events with which a published Enmeshed Trigger started the execution. */
function startingEvents(functions: Functions, itemIndex: number): string[] | undefined {
	// Skips manual runs: a person who tests a workflow with the same sample event expects an effect
	// each time.
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
