import { countAsDone } from '../../nodes/Enmeshed/sending/equal-sends';
import { idempotencyKey } from '../../nodes/Enmeshed/sending/idempotency-key';
import { executeFunctions, type StubOptions } from '../../test/support/n8n/n8n-functions';
import type { Dice } from '../harness/dice';
import type { SendInput } from './ledger';

/**
 * What began the work of an execution, and how many sub-workflows are between that and the node.
 */
export interface Beginning {
	/** absent: the first caller of the sub-workflows has begun by itself */
	readonly events?: readonly string[];
	readonly subWorkflows: 0 | 1 | 2;
}

const trigger = { name: 'Trigger', type: 'n8n-nodes-enmeshed.enmeshedTrigger' };

let ids = 0;
const newId = (): string => String(++ids);

/** A workflow with one node that sends mails, and what began it. Its executions are repetitions. */
export class GeneratedWorkflow {
	readonly nodeId = `node ${newId()}`;

	private readonly outermostId = newId();

	private readonly beginning: Beginning;

	constructor(
		private readonly dice: Dice,
		beginning?: Beginning,
	) {
		const events = Array.from({ length: 1 + dice.below(2) }, () => `EVT${newId()}`);
		this.beginning =
			beginning ??
			dice.pick<Beginning>([
				{ events, subWorkflows: 0 },
				{ events, subWorkflows: 1 },
				{ events, subWorkflows: 2 },
				{ subWorkflows: 1 },
				{ subWorkflows: 2 },
			]);
	}

	/**
	 * Another execution: of an event that is delivered again, a retry, or a sub-workflow called
	 * again.
	 */
	execution(): StubOptions {
		const { dice, nodeId } = this;
		const { events, subWorkflows } = this.beginning;
		const node = { id: nodeId };
		if (subWorkflows === 0) {
			const mode = dice.pick(['trigger', 'retry'] as const);
			return { node, executionId: newId(), mode, startedBy: events ?? [] };
		}
		const outermostId = events === undefined ? this.outermostId : newId();
		const stored: Record<string, object> = { [outermostId]: this.outermost(events) };
		let executionId = outermostId;
		for (let depth = 1; depth <= subWorkflows; depth++) {
			const source = depth === 1 ? 'trigger' : 'integrated';
			const parentExecution = { executionId, executionContext: { source } };
			executionId = newId();
			stored[executionId] = { parentExecution };
		}
		return { node, executionId, mode: 'integrated', stored };
	}

	/** What n8n has stored of the first caller: before its first results, or after them. */
	private outermost(events: readonly string[] | undefined): object {
		if (events === undefined) return { resultData: { runData: {} } };
		const data = { main: [events.map((id) => ({ json: { id } }))] };
		return this.dice.pick<object>([
			{
				executionData: { nodeExecutionStack: [{ node: trigger, data }] },
				resultData: { runData: {} },
			},
			{
				executionData: { nodeExecutionStack: [], runtimeData: { triggerNode: trigger } },
				resultData: { runData: { [trigger.name]: [{ data }] } },
			},
		]);
	}
}

/**
 * Sends the mails of one execution under the keys that the node gives them, as items of one run or
 * in a loop.
 *
 * @param send receives a name that is the same for the same mail of every execution of the workflow
 */
export async function playExecution(
	execution: StubOptions,
	mails: readonly SendInput[],
	send: (name: string, input: SendInput, idempotencyKey: string) => Promise<void>,
	isLoop = false,
): Promise<void> {
	const context = {};
	const all = executeFunctions({ ...execution, context });
	const counts = new Map<string, number>();
	for (const [index, mail] of mails.entries()) {
		const functions = isLoop ? executeFunctions({ ...execution, context, runIndex: index }) : all;
		const call = { functions, itemIndex: isLoop ? 0 : index, uploads: new Map<string, string>() };
		const { idempotencyKey: key = '' } = await idempotencyKey(call, () => mail);
		const { subject } = mail.content;
		const number = (counts.get(subject) ?? 0) + 1;
		counts.set(subject, number);
		await send(`${subject}, number ${number}`, mail, key);
		countAsDone(call);
	}
}
