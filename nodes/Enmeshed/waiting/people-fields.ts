import type { INodeProperties } from 'n8n-workflow';
import { peerLocator, severalPeers } from '../descriptions/locators';
import { purpose } from '../descriptions/purpose';
import type { OperationCall } from '../operation/operation';
import { parameterError } from '../errors/parameter-error';
import type { FieldSchemas, Zod } from '../fields/parse-parameters';

/** Entered people, and the rule by which the execution goes on. */
export interface People {
	readonly people: 'connected' | 'items' | 'list' | 'one';
	/** address of the person of an item; empty for a list */
	readonly to: string;
	/** addresses of a list */
	readonly toList: readonly string[];
	/** of the templates by which all people are connected; undefined for any */
	readonly purpose: string | undefined;
	readonly goOn: 'all' | 'first' | 'majority';
	/** number of answers, for `first` */
	readonly wanted: number;
}

const several = ['connected', 'items', 'list'];

/** Fields that say who is asked. */
export const peopleFields: INodeProperties[] = [
	{
		displayName: 'Ask',
		name: 'people',
		type: 'options',
		options: [
			{
				name: 'One Person',
				value: 'one',
				description: 'The execution goes on with the answer',
			},
			{
				name: 'The Person of Each Item',
				value: 'items',
				description: 'All at once; the output has one item for each person',
			},
			{
				name: 'People From a List',
				value: 'list',
				description: 'All at once; the output has one item for each person',
			},
			{
				name: 'All Connected People',
				value: 'connected',
				description:
					'All at once, or all with one purpose; the output has one item for each person',
			},
		],
		default: 'one',
	},
	{
		...peerLocator('searchActivePeers'),
		displayName: 'To',
		name: 'to',
		required: true,
		displayOptions: { show: { people: ['one', 'items'] } },
		description: 'The person to ask. There must be an active relationship.',
	},
	{
		...severalPeers('People', 'toList', 'The people to ask'),
		required: true,
		displayOptions: { show: { people: ['list'] } },
	},
	{
		...purpose,
		description: 'Only people who have connected by a template with this purpose',
		displayOptions: { show: { people: ['connected'] } },
	},
	{
		displayName: 'Go On With',
		name: 'goOn',
		type: 'options',
		displayOptions: { show: { people: several } },
		options: [
			{
				name: 'All Answers',
				value: 'all',
				description: 'When each person has answered or cannot answer any more',
			},
			{
				name: 'First Answers',
				value: 'first',
				description: 'When some of them have answered',
			},
			{
				name: 'Majority',
				value: 'majority',
				description:
					'When more than half of them have given the same answer, or this cannot happen any more',
			},
		],
		default: 'all',
		description: 'Later answers are kept in the account and do not start the workflow again',
	},
	{
		displayName: 'Number of Answers',
		name: 'wanted',
		type: 'number',
		displayOptions: { show: { people: several, goOn: ['first'] } },
		typeOptions: { minValue: 1 },
		default: 1,
	},
];

/** Option that puts the question to further people after some time. */
export const escalation: INodeProperties = {
	displayName: 'Escalate',
	name: 'escalation',
	type: 'fixedCollection',
	displayOptions: { show: { '/people': several } },
	description: 'Puts the question to further people if there is no decision after some time',
	default: { values: { amount: 1, unit: 'days', people: [] } },
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Amount',
					name: 'amount',
					type: 'number',
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 1,
					description: 'After how many minutes, hours or days they are asked',
				},
				{
					displayName: 'Unit',
					name: 'unit',
					type: 'options',
					default: 'days',
					options: [
						{ name: 'Minutes', value: 'minutes' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Days', value: 'days' },
					],
				},
				severalPeers('People', 'people', 'Who is asked as well'),
			],
		},
	],
};

export function peopleShape(z: Zod, { locator, number, optionalText, textList }: FieldSchemas) {
	return {
		people: z.enum(['connected', 'items', 'list', 'one']).default('one'),
		purpose: optionalText,
		to: locator.default(''),
		toList: textList.default([]),
		goOn: z.enum(['all', 'first', 'majority']).default('all'),
		wanted: number.pipe(z.number().int().min(1)).default(1),
	};
}

export function escalationSchema(z: Zod, { number, textList }: FieldSchemas) {
	return z
		.object({
			values: z.object({
				amount: number.pipe(z.number().gt(0, 'More than 0').max(100_000)).default(1),
				unit: z.enum(['minutes', 'hours', 'days']).default('days'),
				people: textList,
			}),
		})
		.optional();
}

/**
 * True if the question goes to several people.
 *
 * @throws NodeOperationError for an unknown choice
 */
export function asksGroup({ functions }: Pick<OperationCall, 'functions'>): boolean {
	const people: unknown = functions.getNodeParameter('people', 0, 'one');
	if (people === 'one') return false;
	if (typeof people === 'string' && several.includes(people)) return true;
	throw parameterError(functions.getNode(), "The field 'Ask' is not valid", {
		description: "Expected 'one', 'items', 'list' or 'connected'",
	});
}

/** Leaves out fields that belong to another choice, whose defaults would be read as values. */
export function shownFields(
	{ functions }: Pick<OperationCall, 'functions'>,
	fields: readonly INodeProperties[],
): INodeProperties[] {
	const people = String(functions.getNodeParameter('people', 0, 'one'));
	const own: Readonly<Record<string, string>> = { list: 'toList', connected: 'purpose' };
	const shown = own[people] ?? 'to';
	return fields.filter(({ name }) => name === shown || !['to', 'toList', 'purpose'].includes(name));
}
