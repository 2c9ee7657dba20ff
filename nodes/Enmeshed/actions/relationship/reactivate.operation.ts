import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { relationshipLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { describedRelationship } from './described-relationship';

const fields: INodeProperties[] = [
	relationshipLocator(),
	{
		displayName: 'Step',
		name: 'step',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Accept', value: 'acceptReactivation', description: 'As the peer has asked' },
			{ name: 'Reject', value: 'rejectReactivation', description: 'Although the peer has asked' },
			{ name: 'Request', value: 'requestReactivation', description: 'Ask the peer' },
			{ name: 'Revoke', value: 'revokeReactivation', description: 'Take your request back' },
		],
		default: 'requestReactivation',
	},
];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({
		relationship: locator,
		step: z.enum([
			'acceptReactivation',
			'rejectReactivation',
			'requestReactivation',
			'revokeReactivation',
		]),
	}),
);

export const reactivate: Operation = {
	properties: forOperation('relationship', 'reactivate', fields),
	output: 'relationship',

	async execute(call) {
		const { gateway, signal } = call;
		const { relationship: id, step } = await parseParameters(call, fields, inputSchema);
		const changed = await gateway.relationships[step](id, { signal });
		return [await describedRelationship(call, changed)];
	},
};
