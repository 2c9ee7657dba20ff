import type { INodeProperties } from 'n8n-workflow';
import type { RequestContentInput } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { sendOncePer } from '../../descriptions/send-once-per';
import { idempotencyKey } from '../../sending/idempotency-key';
import { defined } from '../../helpers/members';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { readRequest } from '../../requests/build-request';
import { byLabel } from '../../requests/entry-options';
import { requestFields, requestOptions } from '../../requests/request-fields';
import { sendNewRequest } from '../../requests/send-new-request';
import { newWait, putToWait, requireOneWait } from '../../waiting/begin-wait';
import { requireCompleteTexts, withReadableCall } from '../../waiting/reviewed-call';
import {
	limitWaitTime,
	noAnswer,
	readTimes,
	reminder,
	restartNotice,
	waitOptionSchemas,
	type WaitOptions,
	type WaitTimes,
} from '../../waiting/wait-fields';
import type { WaitNote } from '../../waiting/wait-note';

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
	{
		...peerLocator('searchActivePeers'),
		displayName: 'To',
		name: 'to',
		required: true,
		description: 'The person to ask. There must be an active relationship.',
	},
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
		to: fields.locator,
		message: fields.exactText,
		responseType: z.enum(['approval', 'freeText', 'request']),
		title: fields.optionalText,
		options: z.object({
			...waitOptionSchemas(z, fields),
			link: fields.optionalText,
			linkDisplayText: fields.optionalText,
			withdraw: z.boolean().default(true),
		}),
	}),
);

interface Question {
	readonly to: string;
	readonly message: string;
	readonly title: string | undefined;
	readonly options: WaitOptions & {
		readonly link?: string | undefined;
		readonly linkDisplayText?: string | undefined;
		readonly withdraw: boolean;
	};
}

export const sendAndWait: Operation = {
	properties: forOperation('outgoingRequest', 'sendAndWait', [
		...questionFields,
		...formFields,
		options,
		restartNotice,
	]),
	output: 'awaitedAnswer',

	async execute(call) {
		await requireOneWait(call.functions);
		await requireCompleteTexts(call, [messageField]);
		const entered = await parseParameters(call, ownFields, inputSchema);
		const question = { ...entered, message: withReadableCall(call, entered.message) };
		const times = await readTimes(call, question.options);
		await ask[question.responseType](call, question, times);
		await putToWait(call);
		return [];
	},
};

type Ask = (call: OperationCall, question: Question, times: WaitTimes) => Promise<void>;

const ask: Readonly<Record<'approval' | 'freeText' | 'request', Ask>> = {
	approval: async (call, question, times) => {
		const { message: consent, options: entered } = question;
		const { link, linkDisplayText } = entered;
		const item = {
			'@type': 'ConsentRequestItem' as const,
			mustBeAccepted: true,
			consent,
			...defined({ link, linkDisplayText }),
		};
		const content = { ...defined({ title: question.title }), items: [item] };
		await askByRequest(call, question, content, { times, answerAs: 'approval' });
	},
	freeText: async (call, question, times) => {
		const { gateway, signal } = call;
		if (!(await gateway.waits.knowsFreeText(question.to, { signal }))) {
			await askByMail(call, question, times);
			return;
		}
		const { message: freeText, title } = question;
		const item = { '@type': 'FreeTextRequestItem' as const, mustBeAccepted: true, freeText };
		const content = { ...defined({ title }), items: [item] };
		await askByRequest(call, question, content, { times, answerAs: 'freeText' });
	},
	request: async (call, question, times) => {
		const { title, message: description } = question;
		const content = { description, ...defined({ title }), ...(await readRequest(call)) };
		await askByRequest(call, question, content, { times, answerAs: 'request' });
	},
};

async function askByRequest(
	call: OperationCall,
	{ to: peer, options: { withdraw, noAnswer } }: Question,
	given: RequestContentInput,
	{ times, answerAs }: { times: WaitTimes } & Pick<WaitNote, 'answerAs'>,
): Promise<void> {
	const expiry =
		'expiresAt' in given ? {} : defined({ expiresAt: withdraw ? times.until : undefined });
	const content = { '@type': 'Request', ...given, ...expiry };
	await sendNewRequest(call, { peer, content }, newWait(call, { answerAs, noAnswer }, times));
}

/** Longest subject that is made from the text of a mail. */
const subjectLength = 80;

async function askByMail(
	call: OperationCall,
	{ to, message: body, title, options: { noAnswer } }: Question,
	times: WaitTimes,
): Promise<void> {
	const { gateway, signal } = call;
	const subject = title ?? body.trim().slice(0, subjectLength);
	const input = {
		recipients: [to],
		content: { '@type': 'Mail' as const, to: [to], subject, body },
	};
	const wait = newWait(call, { answerAs: 'mail', noAnswer }, times);
	const once = await idempotencyKey(call, () => input, { kind: 'question' });
	await gateway.messages.send(input, { signal, ...once, wait });
}
