import type { INodeProperties } from 'n8n-workflow';
import { forOperation, limit, returnAll } from '../../descriptions/common';
import { templateLocator } from '../../descriptions/locators';
import { purpose } from '../../descriptions/purpose';
import { relationshipStatuses } from '../../descriptions/relationship-statuses';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyContact } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{ ...purpose, description: 'Only people that connected for this purpose' },
		relationshipStatuses,
		{
			...templateLocator(),
			required: false,
			description: 'Only people that connected with this template',
		},
	],
};

const fields: INodeProperties[] = [returnAll, limit, filters];

const inputSchema = parameterSchema((z, { optionalText, ...field }) =>
	z.object({
		returnAll: z.boolean(),
		limit: field.limit,
		filters: z.object({
			purpose: optionalText,
			statuses: z.array(z.string()).default([]),
			template: optionalText,
		}),
	}),
);

export const getAll: Operation = {
	properties: forOperation('contact', 'getAll', fields),
	output: 'contact',

	async execute(call) {
		const { gateway, signal } = call;
		const { filters: asked, ...page } = await parseParameters(call, fields, inputSchema);
		const contacts = await gateway.contacts.list(
			{
				statuses: asked.statuses,
				...(asked.purpose === undefined ? {} : { purpose: asked.purpose }),
				...(asked.template === undefined ? {} : { templateId: asked.template }),
				...(page.returnAll ? {} : { limit: page.limit }),
			},
			{ signal },
		);
		return contacts.map((contact) => toRecord(simplifyContact(contact)));
	},
};
