import { GatewayError } from '../../../base/errors';
import type { Logger } from '../../../base/logger';
import type { Request } from '../../../model/content/requests/requests';
import type { UntypedResponse } from '../../../model/content/requests/responses';
import { handlerOf } from '../items';
import type { Effect, ResponseDependencies } from '../items/item-handler';
import { flatItemsOf, withFlatItems } from '../request-items';
import { judgeResponse, type AnsweredItem } from './response-rules';

/**
 * Applies an answer at the requester. It is judged as a whole before anything is written. Unusable
 * parts are logged; a peer must not be able to block the processing.
 *
 * @returns the request to be stored, or the reason why the answer is invalid
 */
export async function applyResponse(
	request: Request,
	response: UntypedResponse,
	context: ResponseDependencies,
	logger: Logger,
): Promise<Request | GatewayError> {
	const judged = judgeResponse(request, response, context.requestId, context);
	if (judged instanceof GatewayError) return judged;
	const items = flatItemsOf(request);
	for (const [index, answered] of judged.entries()) {
		const { problem, item } = await effectOf(answered, context);
		if (item !== undefined) items[index] = item;
		if (problem === undefined) continue;
		logger.warn('a part of the answer to a request was ignored', {
			requestId: context.requestId,
			reason: problem,
		});
	}
	return withFlatItems(request, items);
}

async function effectOf(
	{ item, response, verdict, problem }: AnsweredItem,
	context: ResponseDependencies,
): Promise<Effect> {
	const handler = handlerOf(item);
	switch (verdict) {
		case 'accepted':
			return (await handler.applyResponse?.(item, response, context)) ?? {};
		case 'rejected':
			await handler.applyRejection?.(item, context);
			return {};
		case 'ignored':
			return problem === undefined ? {} : { problem: problem.message };
	}
}
