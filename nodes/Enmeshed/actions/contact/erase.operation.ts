import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { contactLocator } from '../../descriptions/locators';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import type { Operation } from '../../operation/operation';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{
		...contactLocator(),
		description: 'The person; by address once the relationship was decomposed',
	},
	{
		displayName: 'Decompose If Ended',
		name: 'decomposeIfEnded',
		type: 'boolean',
		default: false,
		description:
			'Whether to decompose a relationship that was terminated, rejected or revoked, instead of failing',
	},
	{
		displayName: 'Delete Files Sent Only to This Person',
		name: 'deleteSentFiles',
		type: 'boolean',
		default: false,
		description:
			'Whether to delete your own files that were attached to messages to this person and to no other message, here and at the Backbone. They are found only until the relationship is decomposed.',
	},
];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ contact: locator, decomposeIfEnded: z.boolean(), deleteSentFiles: z.boolean() }),
);

export const erase: Operation = {
	properties: forOperation('contact', 'erase', fields),
	output: 'erasureReceipt',

	async execute(call) {
		const { gateway, signal } = call;
		const { contact, ...input } = await parseParameters(call, fields, inputSchema);
		const { address, ...receipt } = await gateway.contacts.erase(contact, input, { signal });
		return [toRecord({ peer: address, ...receipt })];
	},
};
