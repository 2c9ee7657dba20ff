import type { INodeProperties } from 'n8n-workflow';
import type { RequestDto } from '../../../../core';
import { forOperation } from '../../descriptions/common';
import { peerLocator, requestLocator } from '../../descriptions/locators';
import { idempotencyKey } from '../../helpers/idempotency-key';
import type { Operation, OperationCall } from '../../helpers/operation';
import { parameterSchema, parseParameters } from '../../helpers/parse-parameters';
import { PeerProfiles } from '../../helpers/peers';
import { simplifyRequest } from '../../output/simplify-request';
import { toRecord } from '../../output/to-items';
import { readRequest } from '../../requests/build-request';
import { requestFields } from '../../requests/request-fields';

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
];

const only = (...names: string[]) => fields.filter(({ name }) => names.includes(name));

const sourceSchema = parameterSchema((z) => z.object({ requestSource: z.enum(['new', 'draft']) }));

const draftSchema = parameterSchema((z, { locator }) => z.object({ request: locator }));

const toSchema = parameterSchema((z, { locator }) => z.object({ to: locator }));

export const sendRequest: Operation = {
	properties: forOperation('message', 'sendRequest', fields),
	output: 'sentRequest',

	async execute(call) {
		const { gateway, signal } = call;
		const { requestSource } = await parseParameters(call, only('requestSource'), sourceSchema);
		const isNew = requestSource === 'new';
		const draft = isNew ? await createDraft(call) : await findDraft(call);
		const { peer, content } = draft;
		// Content for the key, without the id of the draft, which differs in every attempt.
		const once = idempotencyKey(call, () => [peer, content['items']]);
		const input = { recipients: [peer], content };
		const sending = gateway.messages.send(input, { signal, ...once });
		const message = await sending.catch(async (error: unknown) => {
			if (isNew) await discardUnsent(call, draft.id, error);
			throw error;
		});
		const sentId = String(message.content['id']);
		// A repetition found the message of the first attempt, which contains another draft.
		if (isNew && sentId !== draft.id) await gateway.outgoingRequests.discard(draft.id, { signal });
		const sent = await gateway.outgoingRequests.get(sentId, { signal });
		const described = await simplifyRequest(sent, new PeerProfiles(gateway, { signal }));
		return [toRecord({ ...described, messageId: message.id })];
	},
};

async function createDraft(call: OperationCall): Promise<RequestDto> {
	const { to: peer } = await parseParameters(call, only('to'), toSchema);
	const content = await readRequest(call);
	const { gateway, signal } = call;
	return await gateway.outgoingRequests.create({ content, peer }, { signal });
}

async function findDraft(call: OperationCall): Promise<RequestDto> {
	const { request } = await parseParameters(call, only('request'), draftSchema);
	return await call.gateway.outgoingRequests.get(request, { signal: call.signal });
}

/** Discards the draft unless it may have been sent: a later sync shows whether the peer has it. */
async function discardUnsent(
	{ gateway, signal }: OperationCall,
	id: string,
	error: unknown,
): Promise<void> {
	const code = (error as { readonly code?: unknown } | undefined)?.code;
	if (signal?.aborted === true || code === 'error.gateway.messages.outcomeUnknown') return;
	await gateway.outgoingRequests.discard(id, { signal });
}
