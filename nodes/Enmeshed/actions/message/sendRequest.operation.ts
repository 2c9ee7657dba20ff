import type { INodeProperties } from 'n8n-workflow';
import { forOperation, onlyCheck, simplify } from '../../descriptions/common';
import { peerLocator } from '../../descriptions/locators';
import { sendOncePer } from '../../descriptions/send-once-per';
import { defined } from '../../helpers/members';
import type { Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import {
	simplifyRequest,
	toRequestRecord,
	toValidationRecord,
} from '../../output/simplify-request';
import { readRequest } from '../../requests/build-request';
import { byLabel } from '../../requests/entry-options';
import { requestFields, requestOptions, requestOptionsField } from '../../requests/request-fields';
import { sendNewRequest } from '../../requests/send-new-request';

const to: INodeProperties = {
	...peerLocator('searchActivePeers'),
	displayName: 'To',
	name: 'to',
	displayOptions: { show: { onlyCheck: [false] } },
	required: true,
	description:
		'The peer that gets the request, one for each item. There must be an active relationship with it.',
};

const checkedTo: INodeProperties = {
	...peerLocator(),
	displayName: 'To',
	name: 'to',
	displayOptions: { show: { onlyCheck: [true] } },
	description: 'The peer that would get the request. Empty for a request in a template.',
};

const fields: INodeProperties[] = [
	to,
	checkedTo,
	...requestFields,
	{
		...requestOptionsField,
		displayOptions: {},
		options: byLabel([...requestOptions, sendOncePer]),
	},
	onlyCheck,
	simplify,
];

const checkSchema = parameterSchema((z) => z.object({ onlyCheck: z.boolean().default(false) }));

const toSchema = parameterSchema((z, { locator }) => z.object({ to: locator }));

const checkedToSchema = parameterSchema((z, { optionalText }) => z.object({ to: optionalText }));

export const sendRequest: Operation = {
	properties: forOperation('message', 'sendRequest', fields),
	output: 'sentRequest',

	async execute(call) {
		const { gateway, signal } = call;
		const entered = await parseParameters(call, [onlyCheck], checkSchema);
		if (entered.onlyCheck) {
			const { to: peer } = await parseParameters(call, [checkedTo], checkedToSchema);
			const input = { content: await readRequest(call), ...defined({ peer }) };
			const result = await gateway.outgoingRequests.validate(input, { signal });
			return [toValidationRecord(call, result)];
		}
		const { to: peer } = await parseParameters(call, [to], toSchema);
		const input = { peer, content: await readRequest(call) };
		const { requestId } = await sendNewRequest(call, input);
		const sent = await gateway.outgoingRequests.get(requestId, { signal });
		return [await toRequestRecord(call, sent, simplifyRequest)];
	},
};
