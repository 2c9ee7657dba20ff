import type { INodeProperties } from 'n8n-workflow';
import { forOperation, simplify } from '../../descriptions/common';
import { attributeLocator, peerLocator } from '../../descriptions/locators';
import { sendOncePer } from '../../descriptions/send-once-per';
import { readOptionalInstant } from '../../fields/expiry';
import { idempotencyKey } from '../../sending/idempotency-key';
import { defined } from '../../helpers/members';
import { withHints, type Operation } from '../../operation/operation';
import { parameterSchema, parseParameters } from '../../fields/parse-parameters';
import { simplifyRequest, toRequestRecord } from '../../output/simplify-request';

const fields: INodeProperties[] = [
	{ ...attributeLocator(), description: 'One of your own attributes' },
	{
		...peerLocator('searchActivePeers'),
		required: true,
		description: 'The peer that is asked to accept it',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Description',
				name: 'description',
				type: 'string',
				default: '',
				description: 'Shown to the person below the title. At most 500 characters.',
			},
			{
				displayName: 'Expires At',
				name: 'expiresAt',
				type: 'dateTime',
				default: '',
				description: 'When the peer can no longer accept it',
			},
			sendOncePer,
			{
				displayName: 'Title',
				name: 'title',
				type: 'string',
				default: '',
				description: 'Shown to the person. At most 200 characters.',
			},
		],
	},
];

const inputSchema = parameterSchema((z, { locator, optionalText }) =>
	z.object({
		attribute: locator,
		peer: locator,
		options: z.object({
			description: optionalText,
			expiresAt: z.unknown().optional(),
			title: optionalText,
		}),
	}),
);

export const shareWithPeer: Operation = {
	properties: forOperation('attribute', 'shareWithPeer', [...fields, simplify]),
	output: 'request',

	async execute(call) {
		const { gateway, signal } = call;
		const { attribute, peer, options } = await parseParameters(call, fields, inputSchema);
		const { expiresAt: entered, ...described } = options;
		const expiresAt = await readOptionalInstant(call, entered, 'Expires At');
		const requestMetadata = defined({ ...described, expiresAt });
		const input = { peer, requestMetadata };
		const once = await idempotencyKey(call, () => [attribute, input]);
		const made = await gateway.attributes.share(attribute, input, {
			...withHints(call),
			...once,
		});
		// Reads the request again: `share` returned it as a draft, and it is being sent now.
		const sent = await gateway.outgoingRequests.get(made.id, { signal });
		return [await toRequestRecord(call, sent, simplifyRequest)];
	},
};
