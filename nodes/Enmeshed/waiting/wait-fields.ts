import type { INodeProperties } from 'n8n-workflow';
import type { NewWait } from '../../../core';
import { invalidDate, readInstant } from '../fields/instants';
import { loadCore } from '../gateway/core';
import type { OperationCall } from '../operation/operation';
import type { FieldSchemas, Zod } from '../fields/parse-parameters';
import type { NoAnswer } from './wait-note';

/* These fields have the same names and values as in n8n's own nodes that send and wait. */

const unitMs = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 24 * 3_600_000,
} as const;

/** Option that limits how long the execution waits. */
export const limitWaitTime: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	description:
		'How long the execution waits; without this option it waits until there is an answer',
	default: {
		values: { limitType: 'afterTimeInterval', resumeAmount: 3, resumeUnit: 'days' },
	},
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Limit Type',
					name: 'limitType',
					type: 'options',
					default: 'afterTimeInterval',
					description: 'When the execution stops waiting',
					options: [
						{
							name: 'After Time Interval',
							value: 'afterTimeInterval',
							description: 'Some time after the question was sent',
						},
						{
							name: 'At Specified Time',
							value: 'atSpecifiedTime',
							description: 'At a date and time',
						},
					],
				},
				{
					displayName: 'Amount',
					name: 'resumeAmount',
					type: 'number',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 3,
					description: 'How many minutes, hours or days to wait',
				},
				{
					displayName: 'Unit',
					name: 'resumeUnit',
					type: 'options',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
					default: 'days',
					options: [
						{ name: 'Minutes', value: 'minutes' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Days', value: 'days' },
					],
				},
				{
					displayName: 'Max Date and Time',
					name: 'maxDateAndTime',
					type: 'dateTime',
					displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
					default: '',
					description: 'Without an offset this is a time in the time zone of the workflow',
				},
			],
		},
	],
};

/** Option that sends a mail to a person who has not answered for some time. */
export const reminder: INodeProperties = {
	displayName: 'Reminder',
	name: 'reminder',
	type: 'fixedCollection',
	description: 'A mail to the person, sent once if there is no answer after some time',
	default: {
		values: {
			remindAmount: 1,
			remindUnit: 'days',
			subject: 'Reminder',
			body: 'A question is waiting for your answer.',
		},
	},
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Amount',
					name: 'remindAmount',
					type: 'number',
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 1,
					description: 'After how many minutes, hours or days the mail is sent',
				},
				{
					displayName: 'Unit',
					name: 'remindUnit',
					type: 'options',
					default: 'days',
					options: [
						{ name: 'Minutes', value: 'minutes' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Days', value: 'days' },
					],
				},
				{
					displayName: 'Subject',
					name: 'subject',
					type: 'string',
					default: 'Reminder',
				},
				{
					displayName: 'Body',
					name: 'body',
					type: 'string',
					typeOptions: { rows: 3 },
					default: 'A question is waiting for your answer.',
				},
			],
		},
	],
};

/** Option that says what happens when the wait ends without an answer. */
export const noAnswer: INodeProperties = {
	displayName: 'Without an Answer',
	name: 'noAnswer',
	type: 'options',
	default: 'continue',
	description: 'What happens when the time is up, or when the person can no longer answer',
	options: [
		{
			name: 'Continue',
			value: 'continue',
			description: "The execution goes on, and 'answered' is false",
		},
		{
			name: 'Fail',
			value: 'error',
			description: "The node fails, as 'On Error' in its settings says",
		},
	],
};

/** What a restart of n8n means for executions that wait. */
export const restartNotice: INodeProperties = {
	displayName:
		'After a restart of n8n, waiting executions go on at once if a workflow with an \'Enmeshed Trigger\' of this account is published, otherwise with the next use of the credential. <a href="https://github.com/n8n-nodes-enmeshed/n8n-nodes-enmeshed/blob/main/docs/waiting.md" target="_blank">More info</a>.',
	name: 'restartNotice',
	type: 'notice',
	default: '',
};

type Unit = keyof typeof unitMs;

/** Entered options that every waiting operation has. */
export interface WaitOptions {
	readonly limitWaitTime?:
		| {
				readonly values: {
					readonly limitType: 'afterTimeInterval' | 'atSpecifiedTime';
					readonly resumeAmount: number;
					readonly resumeUnit: Unit;
					readonly maxDateAndTime?: unknown;
				};
		  }
		| undefined;
	readonly noAnswer: NoAnswer;
	readonly reminder?:
		| {
				readonly values: {
					readonly remindAmount: number;
					readonly remindUnit: Unit;
					readonly subject: string;
					readonly body: string;
				};
		  }
		| undefined;
}

/** Deadline and reminder as instants. */
export type WaitTimes = Pick<NewWait, 'until' | 'reminder'>;

/** Schemas of the options, for the schema of an operation. */
export function waitOptionSchemas(z: Zod, { exactText, number }: FieldSchemas) {
	const amount = number.pipe(z.number().gt(0, 'More than 0').max(100_000));
	const unit = z.enum(['minutes', 'hours', 'days']).default('days');
	return {
		limitWaitTime: z
			.object({
				values: z.object({
					limitType: z.enum(['afterTimeInterval', 'atSpecifiedTime']).default('afterTimeInterval'),
					resumeAmount: amount.default(3),
					resumeUnit: unit,
					maxDateAndTime: z.unknown().optional(),
				}),
			})
			.optional(),
		noAnswer: z.enum(['continue', 'error']).default('continue'),
		reminder: z
			.object({
				values: z.object({
					remindAmount: amount.default(1),
					remindUnit: unit,
					subject: exactText,
					body: exactText,
				}),
			})
			.optional(),
	};
}

/** @throws `error.gateway.waits.deadlinePassed`, NodeOperationError */
export async function readTimes(call: OperationCall, options: WaitOptions): Promise<WaitTimes> {
	const until = await readDeadline(call, options.limitWaitTime);
	if (options.reminder === undefined) return { until };
	const { remindAmount, remindUnit, subject, body } = options.reminder.values;
	return { until, reminder: { at: after(remindAmount, remindUnit), subject, body } };
}

async function readDeadline(
	{ functions, itemIndex }: OperationCall,
	limit: WaitOptions['limitWaitTime'],
): Promise<string | undefined> {
	if (limit === undefined) return undefined;
	const { limitType, resumeAmount, resumeUnit, maxDateAndTime } = limit.values;
	if (limitType === 'afterTimeInterval') return after(resumeAmount, resumeUnit);
	const until = await readInstant(maxDateAndTime, functions.getTimezone());
	if (until === undefined) throw invalidDate(functions.getNode(), 'Max Date and Time', itemIndex);
	if (Date.parse(until) > Date.now()) return until;
	const { waitErrors } = await loadCore();
	throw waitErrors.create('deadlinePassed', { message: `The time to wait ended at ${until}` });
}

/** ISO time after a duration from now. */
export function after(amount: number, unit: Unit): string {
	return new Date(Date.now() + amount * unitMs[unit]).toISOString();
}
