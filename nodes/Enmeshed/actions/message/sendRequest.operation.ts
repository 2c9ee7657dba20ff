import type { INodeProperties } from 'n8n-workflow';
import type { CreateRequestInput, RequestDto } from '../../../../core';
import { forOperation, simplify } from '../../descriptions/common';
import { peerLocator, requestLocator } from '../../descriptions/locators';
import { sendOncePer } from '../../descriptions/send-once-per';
import type { Operation, OperationCall } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyRequest, toRequestRecord } from '../../output/simplify-request';
import { readRequest } from '../../requests/build-request';
import { byLabel } from '../../requests/entry-options';
import { requestFields, requestOptions, requestOptionsField } from '../../requests/request-fields';
import { sendDraft, sendNewRequest } from '../../requests/send-new-request';

const forDraft = { show: { requestSource: ['draft'] } };

const fields: INodeProperties[] = [
	{
		displayName: 'Send',
		name: 'requestSource',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'New Request', value: 'new', description: 'Put together below' },
			{ name: 'Draft', value: 'draft', description: "Made by 'Request (Outgoing): Create'" },
		],
		default: 'new',
	},
	{ ...requestLocator('searchDrafts'), displayOptions: forDraft },
	{
		...peerLocator('searchActivePeers'),
		displayName: 'To',
		name: 'to',
		displayOptions: { show: { requestSource: ['new'] } },
		required: true,
		description:
			'The peer that gets the request, one for each item. There must be an active relationship with it.',
	},
	...requestFields.map((field) => ({
		...field,
		displayOptions: { show: { requestSource: ['new'], ...field.displayOptions?.show } },
	})),
	{
		...requestOptionsField,
		displayOptions: {},
		options: byLabel([
			...requestOptions.map((field) => ({
				...field,
				displayOptions: { show: { '/requestSource': ['new'], ...field.displayOptions?.show } },
			})),
			sendOncePer,
		]),
	},
	simplify,
];

const only = (...names: string[]) => fields.filter(({ name }) => names.includes(name));

const sourceSchema = parameterSchema((z) => z.object({ requestSource: z.enum(['new', 'draft']) }));

const draftSchema = parameterSchema((z, { locator }) => z.object({ request: locator }));

const toSchema = parameterSchema((z, { locator }) => z.object({ to: locator }));

export const sendRequest: Operation = {
	properties: forOperation('message', 'sendRequest', fields),
	output: 'request',

	async execute(call) {
		const { gateway, signal } = call;
		const { requestSource } = await parseParameters(call, only('requestSource'), sourceSchema);
		const { requestId } =
			requestSource === 'new'
				? await sendNewRequest(call, await readNewRequest(call))
				: await sendDraft(call, await findDraft(call));
		const sent = await gateway.outgoingRequests.get(requestId, { signal });
		return [await toRequestRecord(call, sent, simplifyRequest)];
	},
};

async function readNewRequest(call: OperationCall): Promise<CreateRequestInput> {
	const { to: peer } = await parseParameters(call, only('to'), toSchema);
	return { peer, content: await readRequest(call) };
}

async function findDraft(call: OperationCall): Promise<RequestDto> {
	const { request } = await parseParameters(call, only('request'), draftSchema);
	return await call.gateway.outgoingRequests.get(request, { signal: call.signal });
}
