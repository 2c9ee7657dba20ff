import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { attributeLocator, peerLocator } from '../../descriptions/locators';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifySuccession } from '../../output/simplify';
import { toRecord } from '../../output/to-items';

const fields: INodeProperties[] = [
	{ ...attributeLocator(), description: 'The new version of an attribute that the peer has' },
	{
		...peerLocator('searchActivePeers'),
		required: true,
		description: 'A peer that has an earlier version',
	},
];

const inputSchema = parameterSchema((z, { locator }) =>
	z.object({ attribute: locator, peer: locator }),
);

export const notifyPeer: Operation = {
	properties: forOperation('attribute', 'notifyPeer', fields),
	output: 'succession',

	async execute(call) {
		const { gateway, signal } = call;
		const { attribute: id, peer } = await parseParameters(call, fields, inputSchema);
		const succession = await gateway.attributes.notifyPeer(id, { peer }, { signal });
		return [toRecord(simplifySuccession(succession))];
	},
};
