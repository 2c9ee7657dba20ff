import { forOperation, onlyCheck, simplify } from '../../descriptions/common';
import { requestLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import {
	simplifyIncoming,
	toRequestRecord,
	toValidationRecord,
} from '../../output/simplify-request';
import { answerFields } from '../../requests/answer-fields';
import { readAnswer } from '../../requests/build-answer';

const fields = [
	requestLocator('searchIncomingRequests'),
	{
		...onlyCheck,
		description: 'Whether to list every problem that the answer has, without sending it',
	},
];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ request: locator, onlyCheck: z.boolean().default(false) }),
);

export const accept: Operation = {
	properties: forOperation('incomingRequest', 'accept', [
		...fields.slice(0, 1),
		...answerFields,
		...fields.slice(1),
		simplify,
	]),
	output: 'answeredRequest',

	async execute(call) {
		const { gateway, signal } = call;
		const { request: id, ...entered } = await parseParameters(call, fields, inputSchema);
		const request = await gateway.incomingRequests.get(id, { signal });
		const answer = await readAnswer(call, request);
		if (entered.onlyCheck) {
			const result = await gateway.incomingRequests.canAccept(id, answer, { signal });
			return [toValidationRecord(call, result)];
		}
		const decided = await gateway.incomingRequests.accept(id, answer, { signal });
		return [await toRequestRecord(call, decided, simplifyIncoming)];
	},
};
