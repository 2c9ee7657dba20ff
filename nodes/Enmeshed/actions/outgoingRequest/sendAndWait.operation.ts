import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { idempotencyKey } from '../../helpers/idempotency-key';
import { defined } from '../../helpers/members';
import type { Operation, OperationCall } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { readRequest } from '../../requests/build-request';
import { requestFields } from '../../requests/request-fields';
import { sendNewRequest } from '../../requests/send-new-request';
import { newWait, putToWait, requireOneItem } from '../../waiting/begin-wait';
import {
	limitWaitTime,
	noAnswer,
	readDeadline,
	restartNotice,
	waitLimitSchema,
	type WaitLimit,
} from '../../waiting/wait-fields';
import type { NoAnswer, WaitNote } from '../../waiting/wait-note';

const approvalOnly = { show: { '/responseType': ['approval'] } };

const questionFields: INodeProperties[] = [
	{
		...peerLocator('searchActivePeers'),
		displayName: 'To',
		name: 'to',
		required: true,
		description: 'The person to ask. There must be an active relationship.',
	},
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. May we give you a discount of 40 % and charge 60 € now?',
		description: 'What the person reads in the wallet',
	},
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
				description: 'The person shares, confirms or fills in what the items below ask for',
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

const itemFields = requestFields.map((field) => ({
	...field,
	...(field.name === 'requestOptions'
		? { options: field.options?.filter(({ name }) => !ownTexts.includes(name)) ?? [] }
		: {}),
	displayOptions: { show: { responseType: ['request'], ...field.displayOptions?.show } },
}));

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
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
		{
			displayName: 'Withdraw Question',
			name: 'withdraw',
			type: 'boolean',
			default: true,
			description:
				'Whether the question expires in the wallet when the time is up, so that it cannot be answered any more',
		},
		noAnswer,
	],
};

const ownFields = [...questionFields, options];

const inputSchema = parameterSchema((z, { locator, exactText, optionalText }) =>
	z.object({
		to: locator,
		message: exactText,
		responseType: z.enum(['approval', 'freeText', 'request']),
		title: optionalText,
		options: z.object({
			limitWaitTime: waitLimitSchema(z).optional(),
			link: optionalText,
			linkDisplayText: optionalText,
			noAnswer: z.enum(['continue', 'error']).default('continue'),
			withdraw: z.boolean().default(true),
		}),
	}),
);

interface Question {
	readonly to: string;
	readonly message: string;
	readonly title: string | undefined;
	readonly options: {
		readonly limitWaitTime?: WaitLimit | undefined;
		readonly link?: string | undefined;
		readonly linkDisplayText?: string | undefined;
		readonly noAnswer: NoAnswer;
		readonly withdraw: boolean;
	};
}

export const sendAndWait: Operation = {
	properties: forOperation('outgoingRequest', 'sendAndWait', [
		...questionFields,
		...itemFields,
		options,
		restartNotice,
	]),
	output: 'awaitedAnswer',

	async execute(call) {
		await requireOneItem(call.functions);
		const question = await parseParameters(call, ownFields, inputSchema);
		const until = await readDeadline(call, question.options.limitWaitTime);
		await ask[question.responseType](call, question, until);
		await putToWait(call);
		return [];
	},
};

type Ask = (call: OperationCall, question: Question, until: string | undefined) => Promise<void>;

const ask: Readonly<Record<'approval' | 'freeText' | 'request', Ask>> = {
	approval: async (call, question, until) => {
		const { message: consent, options: entered } = question;
		const { link, linkDisplayText } = entered;
		const item = {
			'@type': 'ConsentRequestItem',
			mustBeAccepted: true,
			consent,
			...defined({ link, linkDisplayText }),
		};
		const content = { ...defined({ title: question.title }), items: [item] };
		await askByRequest(call, question, content, { until, answerAs: 'approval' });
	},
	freeText: async (call, question, until) => {
		const { gateway, signal } = call;
		if (!(await gateway.waits.knowsFreeText(question.to, { signal }))) {
			await askByMail(call, question, until);
			return;
		}
		const { message: freeText, title } = question;
		const item = { '@type': 'FreeTextRequestItem', mustBeAccepted: true, freeText };
		const content = { ...defined({ title }), items: [item] };
		await askByRequest(call, question, content, { until, answerAs: 'freeText' });
	},
	request: async (call, question, until) => {
		const { title, message: description } = question;
		const content = { description, ...defined({ title }), ...(await readRequest(call)) };
		await askByRequest(call, question, content, { until, answerAs: 'request' });
	},
};

async function askByRequest(
	call: OperationCall,
	{ to: peer, options: { withdraw, noAnswer } }: Question,
	given: object,
	{ until, answerAs }: { until: string | undefined } & Pick<WaitNote, 'answerAs'>,
): Promise<void> {
	const expiry = 'expiresAt' in given ? {} : defined({ expiresAt: withdraw ? until : undefined });
	const content = { '@type': 'Request', ...given, ...expiry };
	await sendNewRequest(call, { peer, content }, newWait(call, { answerAs, noAnswer }, until));
}

/** Longest subject that is made from the text of a mail. */
const subjectLength = 80;

async function askByMail(
	call: OperationCall,
	{ to, message: body, title, options: { noAnswer } }: Question,
	until: string | undefined,
): Promise<void> {
	const { gateway, signal } = call;
	const subject = title ?? body.trim().slice(0, subjectLength);
	const input = {
		recipients: [to],
		content: { '@type': 'Mail', to: [to], subject, body },
	};
	const wait = newWait(call, { answerAs: 'mail', noAnswer }, until);
	const once = idempotencyKey(call, () => input);
	await gateway.messages.send(input, { signal, ...once, wait });
}
