import type { INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import type { OperationCall } from '../operation/operation';
import { isToolVariant } from '../operation/tool-variant';

type Functions = OperationCall['functions'];

/** The part of the value of an n8n expression `$("name")` that is used here. */
type LookAt = (name: string) => {
	readonly isExecuted: boolean;
	all(branchIndex: number, runIndex: number): INodeExecutionData[];
};

/** What began the work of an execution. */
export interface Beginning {
	/** the outermost execution that n8n knows: the first caller of this execution, or itself */
	readonly executionId: string;
	/** ids of the events with which a published Enmeshed Trigger started it */
	readonly events?: readonly string[] | undefined;
	/** true if a person runs it by hand in the editor */
	readonly isManual: boolean;
}

/** One search for all items of a run. */
const found = new WeakMap<Functions, Promise<Beginning>>();

/** Finds what began the execution, also through sub-workflows and tools of agents. */
export async function beginningOf(functions: Functions, executionId: string): Promise<Beginning> {
	const known = found.get(functions);
	if (known !== undefined) return await known;
	const search = findBeginning(functions, executionId);
	found.set(functions, search);
	return await search;
}

async function findBeginning(functions: Functions, executionId: string): Promise<Beginning> {
	const mode = functions.getMode();
	const isStored = ['trigger', 'retry'].includes(mode);
	const events = isStored ? eventsBefore(functions) : undefined;
	if (events !== undefined) return { executionId, events, isManual: false };
	// A tool has no nodes before it, and a sub-workflow begins with a node of its own.
	const hasMore = isStored ? isToolVariant(functions.getNode()) || mode === 'retry' : false;
	if (hasMore || mode === 'integrated') return await outermost(functions, executionId, false);
	return { executionId, isManual: mode === 'manual' };
}

/** Follows the calls of sub-workflows back to the execution that no other one has called. */
async function outermost(
	functions: Functions,
	executionId: string,
	isManual: boolean,
): Promise<Beginning> {
	const data = await functions.getExecutionDataById(executionId);
	const parent = data?.parentExecution;
	if (parent !== undefined) {
		const isByHand = parent.executionContext?.source === 'manual';
		return await outermost(functions, parent.executionId, isByHand);
	}
	// A person who tests a workflow with the same sample event expects an effect each time.
	return { executionId, isManual, ...(isManual ? {} : { events: eventsIn(data) }) };
}

/** Events of the Enmeshed Trigger from which the node is reached in the same workflow. */
function eventsBefore(functions: Functions): string[] | undefined {
	const lookAt: LookAt = functions.getWorkflowDataProxy(0).$;
	for (const { name, type } of functions.getParentNodes(functions.getNode().name)) {
		if (isTrigger(type) && lookAt(name).isExecuted) return idsOf(lookAt(name).all(0, 0));
	}
	return undefined;
}

/**
 * Events of the Enmeshed Trigger that started an execution: before n8n has stored results of nodes,
 * its stack begins with the trigger and the items.
 */
function eventsIn(data: IRunExecutionData | undefined): string[] | undefined {
	const { nodeExecutionStack = [], runtimeData } = data?.executionData ?? {};
	const first = nodeExecutionStack.find(({ node }) => isTrigger(node.type));
	if (first !== undefined) return idsOf(first.data['main']?.[0]);
	const { name, type } = runtimeData?.triggerNode ?? {};
	if (name === undefined || type === undefined || !isTrigger(type)) return undefined;
	return idsOf(data?.resultData.runData[name]?.[0]?.data?.['main']?.[0]);
}

function isTrigger(type: string): boolean {
	return /\.enmeshed(?:Page)?Trigger$/.test(type);
}

function idsOf(items: readonly INodeExecutionData[] | null | undefined): string[] | undefined {
	return items?.map(({ json }) => String(json['id']));
}
