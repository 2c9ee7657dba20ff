import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { sendOncePer } from '../../descriptions/send-once-per';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { byLabel } from '../../requests/entry-options';
import { requestFields, requestOptions } from '../../requests/request-fields';
import { askGroup } from '../../waiting/ask-group';
import { newWait, putToWait, requireOneWait } from '../../waiting/begin-wait';
import {
	asksGroup,
	escalation,
	escalationSchema,
	peopleFields,
	peopleShape,
	shownFields,
} from '../../waiting/people-fields';
import { ask, phrase, type Phrased, type Question } from '../../waiting/question';
import { requireCompleteTexts, withReadableCall } from '../../waiting/reviewed-call';
import {
	limitWaitTime,
	noAnswer,
	readTimes,
	reminder,
	restartNotice,
	waitOptionSchemas,
	type WaitTimes,
} from '../../waiting/wait-fields';

const approvalOnly = { show: { '/responseType': ['approval'] } };

const messageField: INodeProperties = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. May we give you a discount of 40 % and charge 60 € now?',
	description: 'What the person reads in the wallet',
};

const questionFields: INodeProperties[] = [
	...peopleFields,
	messageField,
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		options: [
			{
				name: 'Approval',
				value: 'approval',
				description: 'The person approves or declines with a consent in the wallet',
			},
			{
				name: 'Choice',
				value: 'choice',
				description: 'The person picks one of several texts',
			},
			{
				name: 'Free Text',
				value: 'freeText',
				description:
					'The person answers in words. Wallets that do not know such questions get a mail, and the reply counts.',
			},
			{
				name: 'Request',
				value: 'request',
				description: 'The person shares, confirms or fills in what the entries below ask for',
			},
		],
		default: 'approval',
	},
	{
		displayName: 'Choices',
		name: 'choices',
		type: 'string',
		typeOptions: { rows: 3 },
		displayOptions: { show: { responseType: ['choice'] } },
		default: '',
		required: true,
		placeholder: 'e.g. Monday',
		description: 'One per line, from 2 to 20',
	},
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		placeholder: 'e.g. Your discount',
		description: 'Shown above the message. At most 200 characters.',
	},
];

/** Title and description of the request are the title and the message above. */
const ownTexts = ['title', 'description'];

const formFields = requestFields.map((field) => ({
	...field,
	displayOptions: { show: { responseType: ['request'], ...field.displayOptions?.show } },
}));

const formOptions = requestOptions
	.filter(({ name }) => !ownTexts.includes(name))
	.map((field) => ({
		...field,
		displayOptions: { show: { '/responseType': ['request'], ...field.displayOptions?.show } },
	}));

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: byLabel([
		limitWaitTime,
		{
			displayName: 'Link',
			name: 'link',
			type: 'string',
			displayOptions: approvalOnly,
			default: '',
			placeholder: 'e.g. https://example.com/offers/42',
			description: 'Where more about it can be read',
		},
		{
			displayName: 'Link Text',
			name: 'linkDisplayText',
			type: 'string',
			displayOptions: approvalOnly,
			default: '',
			placeholder: 'e.g. The whole offer',
			description: 'Shown instead of the link, with 3 to 30 characters. Needs a link.',
		},
		reminder,
		escalation,
		sendOncePer,
		{
			displayName: 'Withdraw Question',
			name: 'withdraw',
			type: 'boolean',
			default: true,
			description:
				'Whether the question expires in the wallet when the time is up, so that it cannot be answered any more',
		},
		noAnswer,
		...formOptions,
	]),
};

const ownFields = [...questionFields, options];

const inputSchema = parameterSchema((z, fields) =>
	z.object({
		...peopleShape(z, fields),
		message: fields.exactText,
		responseType: z.enum(['approval', 'choice', 'freeText', 'request']),
		choices: fields.lines.default([]),
		title: fields.optionalText,
		options: z.object({
			...waitOptionSchemas(z, fields),
			escalation: escalationSchema(z, fields),
			link: fields.optionalText,
			linkDisplayText: fields.optionalText,
			withdraw: z.boolean().default(true),
		}),
	}),
);

export const sendAndWait: Operation = {
	properties: forOperation('outgoingRequest', 'sendAndWait', [
		...questionFields,
		...formFields,
		options,
		restartNotice,
	]),
	output: 'awaitedAnswer',

	async execute(call) {
		const isGroup = asksGroup(call);
		// The first item asks the people of all items.
		if (isGroup && call.itemIndex > 0) return [];
		await requireOneWait(call.functions, { isGroup });
		await requireCompleteTexts(call, [messageField]);
		const question = await readQuestion(call);
		const times = await readTimes(call, question.options);
		if (isGroup) await askGroup(call, question, times, readQuestion);
		else await askOne(call, await phrase(call, question, times), { ...question, times });
		await putToWait(call);
		return [];
	},
};

async function readQuestion(call: OperationCall): Promise<Question> {
	const entered = await parseParameters(call, await shownFields(call, ownFields), inputSchema);
	return { ...entered, message: withReadableCall(call, entered.message) };
}

/** Asks one person; the execution goes on with the answer. */
async function askOne(
	call: OperationCall,
	phrased: Phrased,
	{ to, times, options: { noAnswer } }: Question & { readonly times: WaitTimes },
): Promise<void> {
	const { answerAs } = phrased;
	await ask(call, { peer: to, phrased }, newWait(call, { answerAs, noAnswer }, times));
}
