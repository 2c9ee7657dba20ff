import { createHash } from 'node:crypto';
import { sendOncePer } from '../descriptions/send-once-per';
import { numberAmongEqual } from './equal-sends';
import { beginningOf, type Beginning } from './execution-beginning';
import type { OperationCall } from '../operation/operation';
import { checkParameters, parameterSchema } from '../fields/parse-parameters';
import { isToolExecution, isToolVariant } from '../operation/tool-variant';
import { isObject, ownMember } from '../helpers/members';

type Call = Pick<OperationCall, 'functions' | 'itemIndex' | 'uploads'>;

/**
 * What has a key. `question`: a send whose answer the execution waits for; an agent may ask the
 * same again, and gets another answer. `upload`: each item has its own.
 */
type Kind = 'send' | 'question' | 'upload';

const valueSchema = parameterSchema((z, { exactText }) =>
	z.object({ sendOncePer: exactText.optional() }),
);

/**
 * Identifies a sending or an upload, so that a repetition finds the existing result instead of
 * repeating the operation:
 *
 * - 'Retry On Fail' runs the whole node again within one execution.
 * - An event that is delivered again, because its execution failed or died, is another execution
 *   with the same events. In between, the workflow may have read other data, in another order. So
 *   the content is part of the key, and the place of the item is not: new content is sent, and the
 *   same content is not sent twice.
 * - The same goes for sub-workflows and tools, which may be called again within one execution.
 * - A value under 'Send Once Per' takes the place of events and executions.
 *
 * @param content called only if the content is part of the key
 * @param part identifies one of several sends or uploads for one item
 * @returns an empty object if the execution has no id
 */
export async function idempotencyKey(
	call: Call,
	content: () => unknown,
	{ kind = 'send', part }: { readonly kind?: Kind; readonly part?: string } = {},
): Promise<{ idempotencyKey?: string }> {
	const { functions, itemIndex } = call;
	const executionId: string | undefined = functions.getExecutionId();
	if (executionId === undefined || executionId === '') return {};
	const value = await valueOf(call);
	const beginning = await beginningOf(functions, executionId);
	const place = {
		instanceId: functions.getInstanceId(),
		workflowId: functions.getWorkflow().id ?? '',
		nodeId: functions.getNode().id,
		part,
	};
	const isTool = kind !== 'question' && isToolVariant(functions.getNode());
	const isAlone = beginning.events === undefined && beginning.executionId === executionId;
	if (isAlone && value === undefined && !isTool) {
		const runIndex = Number(functions.getWorkflowDataProxy(itemIndex).$runIndex);
		const text = isToolExecution(functions) ? JSON.stringify(content()) : undefined;
		return { idempotencyKey: keyInExecution({ ...place, executionId, itemIndex, runIndex }, text) };
	}
	// Without a value, each item has its own upload.
	const item = kind === 'upload' && value === undefined ? itemOf(call) : undefined;
	const hash = sha256(textOf(call, [content(), item]));
	const isNumbered = kind !== 'upload' && value === undefined && !isTool;
	const send = isNumbered ? numberAmongEqual(call, hash, part) : { content: hash, number: 1 };
	return { idempotencyKey: keyOfSend({ ...place, ...send, beginning, value }) };
}

export function sha256(content: string | Uint8Array): string {
	return createHash('sha256').update(content).digest('base64url');
}

interface Place {
	readonly instanceId: string;
	readonly workflowId: string;
	readonly nodeId: string;
	readonly part: string | undefined;
}

/** Key of a send by what began it, its node, its recipient and its content. */
export function keyOfSend(
	send: Place & {
		readonly beginning: Beginning;
		/** of 'Send Once Per' */
		readonly value: string | undefined;
		/** hash of recipient and content */
		readonly content: string;
		/** among equal sends of one execution, from 1 */
		readonly number: number;
	},
): string {
	const { beginning, value, content, number } = send;
	const began =
		value === undefined
			? (beginning.events ?? [beginning.executionId])
			: ['once per', value, ...(beginning.isManual ? [beginning.executionId] : [])];
	const parts = [...partsOf(send, began), content, ...(number === 1 ? [] : [String(number)])];
	return `n8n:${sha256(JSON.stringify(parts))}`;
}

/** Key of a send in an execution that nothing repeats as a whole: by the place of the item. */
function keyInExecution(
	send: Place & {
		readonly executionId: string;
		readonly itemIndex: number;
		readonly runIndex: number;
	},
	content: string | undefined,
): string {
	const { instanceId, workflowId, nodeId, part, executionId, itemIndex, runIndex } = send;
	const parts = [instanceId, workflowId, executionId, nodeId, String(itemIndex), String(runIndex)];
	const further = [part, content].filter((text) => text !== undefined);
	return `n8n:${sha256(JSON.stringify([...parts, ...further]))}`;
}

function partsOf({ instanceId, workflowId, nodeId, part = '' }: Place, began: readonly string[]) {
	return [instanceId, workflowId, began, nodeId, part];
}

const itemOf = ({ functions, itemIndex }: Call): unknown =>
	functions.getInputData()[itemIndex]?.json;

/**
 * Content as text; uploaded files count by what they contain. The right to own a file is left out: it is
 * used up once the person has accepted, and the content stays the same.
 */
function textOf({ uploads }: Call, content: readonly unknown[]): string {
	return JSON.stringify(content, (name, value: unknown) => {
		if (name === 'ownershipToken') return undefined;
		return typeof value === 'string' ? (uploads.get(value) ?? value) : value;
	});
}

/**
 * Value under 'Send Once Per'.
 *
 * @throws NodeOperationError if the field is there and empty
 */
async function valueOf({ functions, itemIndex }: Call): Promise<string | undefined> {
	const optionsOf = (name: string) => {
		const given = functions.getNodeParameter(name, itemIndex, {});
		return isObject(given) ? given : {};
	};
	const options = { ...optionsOf('options'), ...optionsOf('additionalFields') };
	const value = ownMember(options, 'sendOncePer');
	if (value === undefined) return undefined;
	const checked = await checkParameters(
		functions,
		{ sendOncePer: value },
		[sendOncePer],
		valueSchema,
		itemIndex,
	);
	return checked.sendOncePer;
}
