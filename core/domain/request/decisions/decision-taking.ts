import { isGatewayError } from '../../../base/errors';
import { obstacleFor } from '../../../model/content/generations';
import { parseAs } from '../../../model/content/parse';
import type { RequestItem } from '../../../model/content/requests/request-items';
import type { Request } from '../../../model/content/requests/requests';
import { response as responseType, type Response } from '../../../model/content/requests/responses';
import type { Json, JsonObject } from '../../../model/json';
import type { RequestRecord } from '../../../model/record/request';
import type { Decision, ItemDecision } from './decisions';
import { handlerOf } from '../items';
import type { Acceptance, AcceptDependencies } from '../items/item-handler';
import { requestErrors } from '../request-errors';
import { isGroup, withFlatItems, flatItemsOf } from '../request-items';
import type { DecisionMode } from './decision-check';

/** Decided request, ready to be stored. */
export interface TakenDecision {
	readonly content: Request;
	readonly response: NonNullable<RequestRecord['response']>;
}

/**
 * Carries out checked decisions: writes their changes and returns the response
 * (docs/protocol/consumption.md 5.6). When it throws, the caller must roll back the whole
 * transaction.
 *
 * @throws `error.runtime.unknown`, `error.gateway.requests.notUnderstoodByPeer`
 */
export async function carryOut(
	{ content }: RequestRecord,
	decisions: readonly Decision[],
	mode: DecisionMode,
	context: AcceptDependencies,
): Promise<TakenDecision> {
	const flatItems = flatItemsOf(content);
	const items: JsonObject[] = [];
	let done = 0;
	const answer = async (item: RequestItem, decision: Decision | undefined): Promise<JsonObject> => {
		const { response, item: changed } = await answerItem(item, decision, context);
		if (changed !== undefined) flatItems[done] = changed;
		done++;
		return response;
	};
	for (const [index, item] of content.items.entries()) {
		const decision = decisions[index];
		if (!isGroup(item)) {
			items.push(await answer(item, decision));
			continue;
		}
		const inner: Json[] = [];
		const decisionsOfGroup = decision?.kind === 'group' ? decision.items : [];
		for (const [place, child] of item.items.entries()) {
			inner.push(await answer(child, decisionsOfGroup[place]));
		}
		items.push({ '@type': 'ResponseItemGroup', items: inner });
	}
	const result = mode === 'accept' ? 'Accepted' : 'Rejected';
	const response = parsed({ result, requestId: context.requestId, items }, context);
	return {
		content: withFlatItems(content, flatItems),
		response: { createdAt: context.writer.now, content: response },
	};
}

async function answerItem(
	item: RequestItem,
	decision: Decision | undefined,
	context: AcceptDependencies,
): Promise<Acceptance> {
	if (decision?.kind !== 'item') throw new TypeError('Expected decisions that were checked');
	if (!decision.accept) return { response: rejection(decision) };
	return await handlerOf(item).accept(item, decision.parameters, context);
}

function rejection({ parameters: { code, message } }: ItemDecision): JsonObject {
	return {
		'@type': 'RejectResponseItem',
		result: 'Rejected',
		...(code === undefined ? {} : { code }),
		...(message === undefined ? {} : { message }),
	};
}

/**
 * Parses the response before it is sent, so that neither this account nor the wallet of the peer
 * would refuse to read it.
 */
function parsed(answer: JsonObject, { generation }: AcceptDependencies): Response {
	let response: Response;
	try {
		response = parseAs(responseType, answer, 'The response');
	} catch (error) {
		if (!isGatewayError(error)) throw error;
		const { message, facts } = error;
		throw requestErrors.create('invalidDecision', { message, facts, cause: error });
	}
	const obstacle = generation === undefined ? undefined : obstacleFor(generation, response);
	if (obstacle === undefined) return response;
	throw requestErrors.create('notUnderstoodByPeer', {
		message: `The peer has a wallet of version ${generation}, which does not read the answer: ${obstacle.reason}.`,
		facts: { field: obstacle.field },
	});
}
