import type { INodeProperties } from 'n8n-workflow';
import { forOperation, simplify } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { withHints, type Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyRequest, toRequestRecord } from '../../output/simplify-request';
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
		simplify,
	]),
	output: 'request',

	async execute(call) {
		const { gateway } = call;
		const { peer } = await parseParameters(call, [peerField], inputSchema);
		const content = await readRequest(call);
		const request = await gateway.outgoingRequests.create({ content, peer }, withHints(call));
		return [await toRequestRecord(call, request, simplifyRequest)];
	},
};
