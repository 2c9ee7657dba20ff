import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import type { Operation } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { PeerProfiles } from '../../helpers/peers';
import { simplifyRequest } from '../../output/simplify-request';
import { toRecord } from '../../output/to-items';
import { readRequest } from '../../requests/build-request';
import { requestFields, requestOptionsField } from '../../requests/request-fields';

const peerField: INodeProperties = {
	...peerLocator('searchActivePeers'),
	required: true,
	description: 'The peer that will get the request',
};

const inputSchema = parameterSchema((z, { locator }) => z.object({ peer: locator }));

export const create: Operation = {
	properties: forOperation('outgoingRequest', 'create', [
		peerField,
		...requestFields,
		requestOptionsField,
	]),
	output: 'request',

	async execute(call) {
		const { gateway, signal } = call;
		const { peer } = await parseParameters(call, [peerField], inputSchema);
		const content = await readRequest(call);
		const request = await gateway.outgoingRequests.create({ content, peer }, { signal });
		return [toRecord(await simplifyRequest(request, new PeerProfiles(gateway, { signal })))];
	},
};
