import type { INodeProperties } from 'n8n-workflow';
import type { RelationshipDto } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { relationshipLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { describedRelationship } from './described-relationship';

const fields: INodeProperties[] = [
	relationshipLocator(),
	{
		displayName: 'If Already Active',
		name: 'ifActive',
		type: 'options',
		options: [
			{
				name: 'Return It',
				value: 'return',
				description: 'Go on with the relationship, as if this step had accepted it',
			},
			{
				name: 'Fail',
				value: 'fail',
				description: 'Fail, because another step or person was faster',
			},
		],
		default: 'return',
		description: 'What to do if the relationship was accepted before',
	},
];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ relationship: locator, ifActive: z.enum(['return', 'fail']).default('return') }),
);

export const accept: Operation = {
	properties: forOperation('relationship', 'accept', fields),
	output: 'relationship',

	async execute(call) {
		const { gateway, signal } = call;
		const { relationship: id, ifActive } = await parseParameters(call, fields, inputSchema);
		const relationship = gateway.relationships.accept(id, { signal });
		const decided = relationship.catch(async (error: unknown): Promise<RelationshipDto> => {
			const present = await gateway.relationships.get(id, { signal }).catch(() => undefined);
			const isActive = present?.status === 'Active';
			return isActive && ifActive === 'return' ? present : await Promise.reject(error);
		});
		return [await describedRelationship(call, await decided)];
	},
};
