import { randomUUID } from 'node:crypto';
import { WAIT_INDEFINITELY, type IExecuteFunctions } from 'n8n-workflow';
import type { NewWait } from '../../../core';
import { loadCore } from '../gateway/core';
import type { OperationCall } from '../operation/operation';
import { isToolExecution } from '../operation/tool-variant';
import { resumeAddress } from './resume-address';
import type { WaitTimes } from './wait-fields';
import type { WaitNote } from './wait-note';

/**
 * Refuses several items, because n8n continues a waiting execution once, with one answer, and calls
 * by agents that go on while the execution waits.
 *
 * @param isGroup whether the people of all items are asked together
 * @throws `error.gateway.waits.severalItems`, `error.gateway.waits.cannotWaitHere`
 */
export async function requireOneWait(
	functions: IExecuteFunctions,
	{ isGroup = false }: { readonly isGroup?: boolean } = {},
): Promise<void> {
	// False where n8n runs the tool as a node of its own, which can wait.
	if (isToolExecution(functions)) {
		const { waitErrors } = await loadCore();
		throw waitErrors.create('cannotWaitHere', { message: 'This agent cannot wait for a person' });
	}
	const { length } = functions.getInputData();
	if (length <= 1 || isGroup) return;
	const { waitErrors } = await loadCore();
	throw waitErrors.create('severalItems', {
		message: `An execution waits for one person at a time, and this node got ${length} items`,
	});
}

/** Describes the wait of this node, with the signed address that resumes the execution. */
export function newWait(
	{ functions }: Pick<OperationCall, 'functions'>,
	note: WaitNote,
	{ until, reminder }: WaitTimes,
): NewWait {
	const key = randomUUID();
	const id = [functions.getInstanceId(), functions.getExecutionId(), functions.getNode().id].join(
		':',
	);
	const resumeUrl = resumeAddress(functions, { wait: id, key });
	return {
		id,
		key,
		resumeUrl,
		note,
		until,
		reminder,
	};
}

/**
 * Lets the execution wait after this node. Deadlines are kept by the gateway: n8n would go on with
 * the input items of the node, as if there was an answer.
 */
export async function putToWait({ functions }: Pick<OperationCall, 'functions'>): Promise<void> {
	await functions.putExecutionToWait(WAIT_INDEFINITELY);
}
