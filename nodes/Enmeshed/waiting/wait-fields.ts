import type { INodeProperties } from 'n8n-workflow';
import { invalidDate, readInstant } from '../helpers/instants';
import { loadCore } from '../helpers/core';
import type { OperationCall } from '../helpers/operation';
import type { ParameterSchema } from '../helpers/parse-parameters';

/* Names and values of these fields are those of the sending and waiting nodes of n8n. */

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

/** Entered limit. */
export interface WaitLimit {
	readonly values: {
		readonly limitType: 'afterTimeInterval' | 'atSpecifiedTime';
		readonly resumeAmount: number;
		readonly resumeUnit: keyof typeof unitMs;
		readonly maxDateAndTime?: unknown;
	};
}

export const waitLimitSchema = (
	z: Parameters<ParameterSchema<unknown>['schema']>[0],
): ReturnType<ParameterSchema<WaitLimit>['schema']> =>
	z.object({
		values: z.object({
			limitType: z.enum(['afterTimeInterval', 'atSpecifiedTime']).default('afterTimeInterval'),
			resumeAmount: z.number('Expected a number').gt(0, 'More than 0').max(100_000).default(3),
			resumeUnit: z.enum(['minutes', 'hours', 'days']).default('days'),
			maxDateAndTime: z.unknown().optional(),
		}),
	});

/**
 * Reads the deadline as an instant.
 *
 * @throws `error.gateway.waits.deadlinePassed`, NodeOperationError
 */
export async function readDeadline(
	{ functions, itemIndex }: OperationCall,
	limit: WaitLimit | undefined,
): Promise<string | undefined> {
	if (limit === undefined) return undefined;
	const { limitType, resumeAmount, resumeUnit, maxDateAndTime } = limit.values;
	if (limitType === 'afterTimeInterval') {
		return new Date(Date.now() + resumeAmount * unitMs[resumeUnit]).toISOString();
	}
	const until = await readInstant(maxDateAndTime, functions.getTimezone());
	if (until === undefined) throw invalidDate(functions.getNode(), 'Max Date and Time', itemIndex);
	if (Date.parse(until) > Date.now()) return until;
	const { waitErrors } = await loadCore();
	throw waitErrors.create('deadlinePassed', { message: `The time to wait ended at ${until}` });
}
