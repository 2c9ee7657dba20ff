import { forOperation, simplify } from '../../descriptions/common';
import { requestLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyIncoming, toRequestRecord } from '../../output/simplify-request';
import { answerFields } from '../../requests/answer-fields';
import { readAnswer } from '../../requests/build-answer';

const requestField = requestLocator('searchIncomingRequests');

const inputSchema = parameterSchema((z, { locator }) => z.object({ request: locator }));

export const accept: Operation = {
	properties: forOperation('incomingRequest', 'accept', [requestField, ...answerFields, simplify]),
	output: 'incomingRequest',

	async execute(call) {
		const { gateway, signal } = call;
		const { request: id } = await parseParameters(call, [requestField], inputSchema);
		const request = await gateway.incomingRequests.get(id, { signal });
		const answer = await readAnswer(call, request);
		const decided = await gateway.incomingRequests.accept(id, answer, { signal });
		return [await toRequestRecord(call, decided, simplifyIncoming)];
	},
};
