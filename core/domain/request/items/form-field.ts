import type { GatewayError } from '../../../base/errors';
import {
	formFieldAnswerProblem,
	formFieldSettingsProblem,
} from '../../../model/content/values/form-field-rules';
import type { RequestItemOf } from '../../../model/content/requests/request-items';
import { requestErrors } from '../request-errors';
import { accepted, otherAnswer, mismatch } from './answers';
import type { ItemHandler } from './item-handler';

type FormFieldRequestItem = RequestItemOf<'FormFieldRequestItem'>;

const answerType = 'FormFieldAcceptResponseItem';

const failures = {
	mismatch: 'invalidAcceptParameters',
	serval: 'malformedParameters',
	unexpected: 'unexpectedDuringItem',
} as const;

/** Handles 'Please fill in this field' (docs/protocol/consumption.md 6.3). */
export const formFieldHandler: ItemHandler<FormFieldRequestItem> = {
	checkOutgoing: (item) => {
		const problem = formFieldSettingsProblem(item.settings);
		if (problem === undefined) return Promise.resolve(undefined);
		const details = {
			message: `The settings of the form field are not valid: ${problem}.`,
			facts: { field: 'settings' },
		};
		return Promise.resolve(requestErrors.create('invalidItem', details));
	},

	checkAccept: (item, { response }) => Promise.resolve(checkAnswer(item, response)),

	accept: (_item, { response = '' }) =>
		Promise.resolve({ response: accepted(answerType, { response }) }),

	checkResponse: (item, response) => {
		if (response['@type'] !== answerType) return otherAnswer(item, response);
		const misfit = checkAnswer(item, response.response);
		if (misfit === undefined) return undefined;
		return mismatch(misfit.message);
	},
};

function checkAnswer(item: FormFieldRequestItem, answer: unknown): GatewayError | undefined {
	const problem = formFieldAnswerProblem(item.settings, answer);
	if (problem === undefined) return undefined;
	return requestErrors.create(failures[problem.failure], {
		message: `'response' is not valid: ${problem.reason}.`,
		facts: { field: 'response' },
	});
}
