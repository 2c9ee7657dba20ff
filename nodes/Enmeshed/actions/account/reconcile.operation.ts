import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{
		displayName: 'Compare Everything',
		name: 'full',
		type: 'boolean',
		default: false,
		description:
			'Whether to compare all messages of the account from the beginning, which takes long with many of them. Otherwise they are compared only as far back as something is missing.',
	},
];

const inputSchema = parameterSchema((z) => z.object({ full: z.boolean() }));

export const reconcile: Operation = {
	properties: forOperation('account', 'reconcile', fields),
	output: 'reconciliation',

	async execute(call) {
		const { gateway, signal } = call;
		const { full } = await parseParameters(call, fields, inputSchema);
		return [toRecord(await gateway.account.reconcile({ full }, { signal }))];
	},
};
