import type { INodeProperties } from 'n8n-workflow';
import { forOperation } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { defined } from '../../helpers/members';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { describeValidation } from '../../output/simplify-request';
import { toRecord } from '../../output/to-items';
import { readRequest } from '../../requests/build-request';
import { requestFields, requestOptionsField } from '../../requests/request-fields';

const peerField: INodeProperties = {
	...peerLocator(),
	description: 'The peer that would get the request. Empty for a request in a template.',
};

const inputSchema = parameterSchema((z, { optionalText }) => z.object({ peer: optionalText }));

export const validate: Operation = {
	properties: forOperation('outgoingRequest', 'validate', [
		peerField,
		...requestFields,
		requestOptionsField,
	]),
	output: 'validation',

	async execute(call) {
		const { gateway, signal } = call;
		const { peer } = await parseParameters(call, [peerField], inputSchema);
		const content = await readRequest(call);
		const result = await gateway.outgoingRequests.validate(
			{ content, ...defined({ peer }) },
			{ signal },
		);
		return [toRecord(describeValidation(result))];
	},
};
