import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { sendOncePer } from '../../descriptions/send-once-per';
import { idempotencyKey } from '../../sending/idempotency-key';
import {
	attachmentList,
	attachmentsField,
	attachmentsOf,
	mailFields,
	mailTextFields,
} from '../../fields/mail';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { newWait, putToWait, requireOneWait } from '../../waiting/begin-wait';
import { requireCompleteTexts } from '../../waiting/reviewed-call';
import {
	limitWaitTime,
	noAnswer,
	readTimes,
	reminder,
	restartNotice,
	waitOptionSchemas,
} from '../../waiting/wait-fields';

const formFields: INodeProperties[] = [
	...mailFields.map((field) => ({
		...field,
		...(field.name === 'to'
			? {
					description:
						'The person who gets the mail, and whose next mail is the reply. There must be an active relationship.',
				}
			: {}),
	})),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [attachmentsField, limitWaitTime, reminder, sendOncePer, noAnswer],
	},
];

const inputSchema = parameterSchema((z, fields) =>
	z.object({
		to: fields.locator,
		subject: fields.exactText,
		body: fields.exactText,
		options: z.object({
			attachments: attachmentList(z, fields),
			...waitOptionSchemas(z, fields),
		}),
	}),
);

/** Has the name that n8n requires for the signature of the address that resumes an execution. */
export const sendAndWait: Operation = {
	properties: forOperation('message', 'sendAndWait', [...formFields, restartNotice]),
	output: 'awaitedAnswer',

	async execute(call) {
		await requireOneWait(call.functions);
		await requireCompleteTexts(call, mailTextFields);
		const parameters = await parseParameters(call, formFields, inputSchema);
		const { to, subject, body, options } = parameters;
		const times = await readTimes(call, options);
		const input = {
			recipients: [to],
			...(await attachmentsOf(call, options)),
			content: { '@type': 'Mail' as const, to: [to], subject, body },
		};
		const once = await idempotencyKey(call, () => input, { kind: 'question' });
		const wait = newWait(call, { answerAs: 'mail', noAnswer: options.noAnswer }, times);
		const { gateway, signal } = call;
		await gateway.messages.send(input, { signal, ...once, wait });
		await putToWait(call);
		return [];
	},
};
