import { forOperation } from '../../descriptions/common';
import { requestLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { describeValidation } from '../../output/simplify-request';
import { toRecord } from '../../output/to-items';
import { answerFields } from '../../requests/answer-fields';
import { readAnswer } from '../../requests/build-answer';

const requestField = requestLocator('searchIncomingRequests');

const inputSchema = parameterSchema((z, { locator }) => z.object({ request: locator }));

export const checkAnswer: Operation = {
	properties: forOperation('incomingRequest', 'checkAnswer', [requestField, ...answerFields]),
	output: 'validation',

	async execute(call) {
		const { gateway, signal } = call;
		const { request: id } = await parseParameters(call, [requestField], inputSchema);
		const request = await gateway.incomingRequests.get(id, { signal });
		const answer = await readAnswer(call, request);
		const result = await gateway.incomingRequests.canAccept(id, answer, { signal });
		return [toRecord(describeValidation(result))];
	},
};
