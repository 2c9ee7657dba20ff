import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { GatewayPool } from '../gateway/acquire-gateway';
import { countAsDone } from '../sending/equal-sends';
import { errorWords } from '../errors/error-words';
import type { Operation, OperationCall, OutputRecord } from '../operation/operation';
import { parameterError } from '../errors/parameter-error';
import { isToolVariant } from '../operation/tool-variant';
import { forAgent } from '../output/for-agent';
import { linkTo, toErrorItem } from '../output/to-items';
import { toCancellation, toNodeError } from '../errors/to-node-error';
import { findOperation } from './resources';

/** Runs the selected operation for each input item in turn. */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(this);
	const signal = this.getExecutionCancelSignal();
	const pool = new GatewayPool(this, signal);
	const output: INodeExecutionData[] = [];
	const done: OperationCall[] = [];
	try {
		for (const itemIndex of this.getInputData().keys()) {
			let call: OperationCall | undefined;
			try {
				signal?.throwIfAborted();
				const gateway = await pool.gatewayFor(itemIndex);
				call = { functions: this, gateway, itemIndex, signal, uploads: new Map() };
				const records = await operation.execute(call);
				countAsDone(call);
				done.push(call);
				output.push(...linkTo(itemIndex, forCaller(this, operation, itemIndex, records)));
			} catch (error) {
				if (signal?.aborted === true) throw toCancellation(this.getNode(), error, itemIndex);
				const words = call && (await errorWords(error, call, operation.properties));
				const shown = toNodeError(this.getNode(), error, itemIndex, words);
				if (!this.continueOnFail()) throw shown;
				output.push(toErrorItem(shown, itemIndex, this.getNode()));
			}
		}
		output.push(...(await conclude(operation, done)));
	} finally {
		await pool.release();
	}
	return [output];
}

/** Results of all items together, linked to each of them. */
async function conclude(
	operation: Operation,
	done: readonly OperationCall[],
): Promise<INodeExecutionData[]> {
	const last = done.at(-1);
	if (operation.conclude === undefined || last === undefined) return [];
	const pairedItem = done.map(({ itemIndex }) => ({ item: itemIndex }));
	try {
		const records = await operation.conclude(last);
		return records.map((record) => ({ ...record, pairedItem }));
	} catch (error) {
		throw toNodeError(last.functions.getNode(), error, last.itemIndex);
	}
}

/** Records as they are; without their complete forms for agents, unless these ask for raw data. */
function forCaller(
	functions: IExecuteFunctions,
	{ output }: Operation,
	itemIndex: number,
	records: readonly OutputRecord[],
): readonly OutputRecord[] {
	if (!isToolVariant(functions.getNode())) return records;
	if (functions.getNodeParameter('simplify', itemIndex, true) === false) return records;
	return records.map((record) => ({ ...record, json: forAgent(output, record.json) }));
}

function chosenOperation(functions: IExecuteFunctions): Operation {
	const resource = functions.getNodeParameter('resource', 0);
	const name = functions.getNodeParameter('operation', 0);
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	throw parameterError(
		functions.getNode(),
		`There is no operation '${name}' for the resource '${resource}'`,
		{ description: 'Choose another operation, or update the package n8n-nodes-enmeshed' },
	);
}
