import type { INodeProperties } from 'n8n-workflow';
import { forOperation, limit, returnAll, simplify } from '../../descriptions/common';
import { contactLocator } from '../../descriptions/locators';
import { invalidDate, readInstant } from '../../fields/instants';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { defined } from '../../helpers/members';
import type { Operation, OperationCall } from '../../operation/operation';
import { simplifyHistory } from '../../output/simplify-history';
import { toRecord } from '../../output/to-items';

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'After',
			name: 'after',
			type: 'dateTime',
			default: '',
			description: 'Only what happened at this time or later',
		},
		{
			displayName: 'Before',
			name: 'before',
			type: 'dateTime',
			default: '',
			description: 'Only what happened before this time',
		},
		{
			displayName: 'Kinds',
			name: 'kinds',
			type: 'multiOptions',
			options: [
				{
					name: 'Attribute',
					value: 'attribute',
					description: 'What one side has shared, set, changed or deleted',
				},
				{ name: 'File', value: 'file', description: 'Files that were sent, received or shared' },
				{ name: 'Message', value: 'message', description: 'Mails and other messages' },
				{
					name: 'Relationship',
					value: 'relationship',
					description: 'Connected, ended, connected again',
				},
				{ name: 'Request', value: 'request', description: 'Requests and their answers' },
			],
			default: [],
			description: 'Only these kinds; none chosen: all',
		},
	],
};

const fields: INodeProperties[] = [contactLocator(), returnAll, limit, simplify, filters];

const inputSchema = parameterSchema((z, field) =>
	z.object({
		contact: field.locator,
		returnAll: z.boolean(),
		limit: field.limit,
		simplify: z.boolean(),
		filters: z.object({
			after: z.unknown().optional(),
			before: z.unknown().optional(),
			kinds: z
				.array(z.enum(['attribute', 'file', 'message', 'relationship', 'request']))
				.default([]),
		}),
	}),
);

export const getHistory: Operation = {
	properties: forOperation('contact', 'getHistory', fields),
	output: 'historyEntry',

	async execute(call) {
		const { gateway, signal } = call;
		const entered = await parseParameters(call, fields, inputSchema);
		const { kinds, ...times } = entered.filters;
		const asked = {
			kinds,
			...defined({
				after: await readTime(call, 'After', times.after),
				before: await readTime(call, 'Before', times.before),
				limit: entered.returnAll ? undefined : entered.limit,
			}),
		};
		const entries = await gateway.contacts.getHistory(entered.contact, asked, { signal });
		if (!entered.simplify) return entries.map((entry) => toRecord(entry));
		const simplified = await simplifyHistory(entries, gateway, { signal });
		return simplified.map((entry) => toRecord(entry));
	},
};

async function readTime(
	{ functions, itemIndex }: OperationCall,
	field: string,
	value: unknown,
): Promise<string | undefined> {
	if (value === undefined || value === null || value === '') return undefined;
	const instant = await readInstant(value, functions.getTimezone());
	if (instant !== undefined) return instant;
	throw invalidDate(functions.getNode(), field, itemIndex);
}
