import type { INodeProperties } from 'n8n-workflow';
import { forOperation, limit, returnAll } from '../../descriptions/common';
import { problemLocator } from '../../descriptions/locators';
import type { Operation, OperationCall, OutputRecord } from '../../operation/operation';
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

/** Shows a field for one of the choices. */
const forChoice = (choice: string, field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, handling: [choice] } },
});

const handling: INodeProperties = {
	displayName: 'What to Do',
	name: 'handling',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Discard One',
			value: 'discard',
			description: 'Give up failed work, so that it is neither tried again nor listed any more',
		},
		{ name: 'List All', value: 'list', description: 'One item per problem' },
		{
			name: 'Retry One',
			value: 'retry',
			description: 'Try failed work once more, without applying or sending anything twice',
		},
	],
	default: 'list',
};

const listFields: INodeProperties[] = [returnAll, limit, filters].map((field) =>
	forChoice('list', field),
);

const problemFields: INodeProperties[] = ['discard', 'retry'].map((choice) =>
	forChoice(choice, {
		...problemLocator(),
		description: 'For several problems, place a node that lists them before this one',
	}),
);

const handlingSchema = parameterSchema((z) =>
	z.object({ handling: z.enum(['discard', 'list', 'retry']) }),
);

const problemSchema = parameterSchema((z, { locator }) => z.object({ problem: locator }));

const listSchema = parameterSchema((z, field) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		filters: z.object({
			consumer: field.optionalText,
			kind: z.enum(['delivery', 'receivedEvent', 'sending', 'unfinishedChange', 'wait']).optional(),
		}),
	}),
);

export const getProblems: Operation = {
	properties: forOperation('account', 'getProblems', [handling, ...listFields, ...problemFields]),
	output: 'problem',

	async execute(call) {
		const chosen = await parseParameters(call, [handling], handlingSchema);
		return await handle[chosen.handling](call);
	},
};

type Handle = (call: OperationCall) => Promise<OutputRecord[]>;

const handle: Readonly<Record<'discard' | 'list' | 'retry', Handle>> = {
	async discard(call) {
		const { gateway, signal } = call;
		const ids = await chosenProblem(call);
		const discarded = await gateway.problems.discard({ ids }, { signal });
		return discarded.map(({ id, kind, outcome, ...one }) =>
			toRecord({ id, kind, outcome, ...one }),
		);
	},
	async list(call) {
		const { gateway, signal } = call;
		const entered = await parseParameters(call, listFields, listSchema);
		const found = await gateway.problems.list(entered.filters, { signal });
		return found
			.slice(0, entered.returnAll ? undefined : entered.limit)
			.map((one) => toRecord(one));
	},
	async retry(call) {
		const { gateway, signal } = call;
		const ids = await chosenProblem(call);
		return (await gateway.problems.retry({ ids }, { signal })).map((one) => toRecord(one));
	},
};

async function chosenProblem(call: OperationCall): Promise<string[]> {
	const { problem } = await parseParameters(call, problemFields.slice(0, 1), problemSchema);
	return [problem];
}
