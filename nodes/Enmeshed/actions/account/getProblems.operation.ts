import type { INodeProperties } from 'n8n-workflow';
import { forOperation, limit, returnAll } from '../../descriptions/common';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { toRecord } from '../../output/to-items';

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'Consumer',
			name: 'consumer',
			type: 'string',
			placeholder: 'e.g. webhook:crm',
			default: '',
			description: 'The webhook, broker or trigger that did not accept an event',
		},
		{
			displayName: 'Kind',
			name: 'kind',
			type: 'options',
			options: [
				{
					name: 'Given Up Delivery',
					value: 'delivery',
					description: 'An event that a trigger, webhook or broker did not accept',
				},
				{
					name: 'Received Event',
					value: 'receivedEvent',
					description: 'An event from the Backbone that could not be applied',
				},
				{
					name: 'Unconfirmed Message',
					value: 'sending',
					description: 'A message that may or may not have been sent',
				},
				{
					name: 'Unfinished Change',
					value: 'unfinishedChange',
					description: 'A change made here that the Backbone does not confirm',
				},
				{
					name: 'Waiting Execution',
					value: 'wait',
					description: 'An execution that n8n does not continue although its answer has arrived',
				},
			],
			default: 'delivery',
		},
	],
};

const fields: INodeProperties[] = [returnAll, limit, filters];

const inputSchema = parameterSchema((z, field) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		filters: z.object({
			consumer: field.optionalText,
			kind: z.enum(['delivery', 'receivedEvent', 'sending', 'unfinishedChange']).optional(),
		}),
	}),
);

export const getProblems: Operation = {
	properties: forOperation('account', 'getProblems', fields),
	output: 'problem',

	async execute(call) {
		const parameters = await parseParameters(call, fields, inputSchema);
		const { gateway, signal } = call;
		const problems = await gateway.problems.list(parameters.filters, { signal });
		return problems
			.slice(0, parameters.returnAll ? undefined : parameters.limit)
			.map((problem) => toRecord(problem));
	},
};
