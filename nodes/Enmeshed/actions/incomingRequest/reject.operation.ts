import type { INodeProperties } from 'n8n-workflow';
import { forOperation, simplify } from '../../descriptions/common';
import { requestLocator } from '../../descriptions/locators';
import { defined } from '../../helpers/members';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyIncoming, toRequestRecord } from '../../output/simplify-request';
import { buildRejection } from '../../requests/build-answer';

const fields: INodeProperties[] = [
	requestLocator('searchIncomingRequests'),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Code',
				name: 'code',
				type: 'string',
				default: '',
				placeholder: 'e.g. example.notWanted',
				description: 'Tells software at the peer why. At most 200 characters.',
			},
			{
				displayName: 'Reason',
				name: 'message',
				type: 'string',
				default: '',
				placeholder: 'e.g. We already have your address.',
				description: 'Tells people at the peer why. At most 1000 characters.',
			},
		],
	},
];

const inputSchema = parameterSchema((z, { locator, optionalText }) =>
	z.object({ request: locator, options: z.object({ code: optionalText, message: optionalText }) }),
);

export const reject: Operation = {
	properties: forOperation('incomingRequest', 'reject', [...fields, simplify]),
	output: 'incomingRequest',

	async execute(call) {
		const { gateway, signal } = call;
		const { request: id, options } = await parseParameters(call, fields, inputSchema);
		const request = await gateway.incomingRequests.get(id, { signal });
		const rejection = buildRejection(request, defined(options));
		const decided = await gateway.incomingRequests.reject(id, rejection, { signal });
		return [await toRequestRecord(call, decided, simplifyIncoming)];
	},
};
