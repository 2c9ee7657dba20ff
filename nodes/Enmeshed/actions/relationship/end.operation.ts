import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { relationshipLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { toRecord } from '../../output/to-items';
import { describedRelationship } from './described-relationship';

const fields: INodeProperties[] = [
	relationshipLocator(),
	{
		displayName: 'How',
		name: 'ending',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Decompose',
				value: 'decompose',
				description:
					'Remove a terminated relationship permanently, with its messages, attributes and requests',
			},
			{
				name: 'Revoke',
				value: 'revoke',
				description: 'Take back a pending relationship that this account asked for',
			},
			{
				name: 'Terminate',
				value: 'terminate',
				description: 'End an active relationship, so that no messages can be exchanged any more',
			},
		],
		default: 'terminate',
	},
];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ relationship: locator, ending: z.enum(['decompose', 'revoke', 'terminate']) }),
);

export const end: Operation = {
	properties: forOperation('relationship', 'end', fields),
	output: 'endedRelationship',

	async execute(call) {
		const { gateway, signal } = call;
		const { relationship: id, ending } = await parseParameters(call, fields, inputSchema);
		if (ending === 'decompose') {
			await gateway.relationships.decompose(id, { signal });
			return [toRecord({ deleted: true })];
		}
		const ended = await gateway.relationships[ending](id, { signal });
		return [await describedRelationship(call, ended)];
	},
};
