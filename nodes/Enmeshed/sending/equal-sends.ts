import type { OperationCall } from '../operation/operation';

type Call = Pick<OperationCall, 'functions' | 'itemIndex'>;

/** A send of one item. */
interface Send {
	/** hash of recipient and content */
	readonly content: string;
	/** 1 for the first of equal sends */
	readonly number: number;
	isDone?: true;
}

/** What n8n keeps with the execution for this node. */
interface Sends {
	run: number;
	/** sends of this run by the index of their item, and by their part */
	items: Record<string, Send>;
	/** number of sends of all runs by content */
	done: Record<string, number>;
}

const contextMember = 'enmeshedSends';

/** Counts the send of a call. */
const counting = new WeakMap<Call, () => void>();

/**
 * Numbers equal sends of one node in one execution, so that a loop or a list can send the same
 * again, while equal items in another order have the same numbers. A send that failed is not
 * counted. A run that n8n repeats finds the sends of its first try, whatever their content is now.
 *
 * @param part distinguishes sends for one item
 */
export function numberAmongEqual(call: Call, content: string, part?: string): Send {
	const { functions, itemIndex } = call;
	const { items, done } = sendsOf(functions);
	const place = part === undefined ? itemIndex : `${itemIndex}:${part}`;
	const send = (items[place] ??= { content, number: (done[content] ?? 0) + 1 });
	counting.set(call, () => {
		if (send.isDone !== true) done[send.content] = (done[send.content] ?? 0) + 1;
		send.isDone = true;
	});
	return send;
}

/** Counts the send of the call, if it had a number. */
export function countAsDone(call: Call): void {
	counting.get(call)?.();
}

function sendsOf(functions: Call['functions']): Sends {
	const context = functions.getContext('node');
	const run = Number(functions.getWorkflowDataProxy(0).$runIndex);
	const sends: Sends = (context[contextMember] ??= { run, items: {}, done: {} });
	if (sends.run !== run) Object.assign(sends, { run, items: {} });
	return sends;
}
