import type { Client, Outcome } from '../served/client';
import { inOneHour } from '../../test/support/gateways';

/** Objects that the requests concern. */
export interface SoakedObjects {
	readonly peer: string;
	readonly relationshipId: string;
	readonly templateId: string;
	readonly fileId: string;
}

interface Mixed {
	/** share of a hundred requests */
	readonly share: number;
	readonly status: number;
	ask(client: Client, objects: SoakedObjects, number: number): Promise<Outcome>;
}

const png = { accept: 'image/png' };
const content = { '@type': 'ArbitraryRelationshipTemplateContent', value: { soak: true } };
const item = { '@type': 'FreeTextRequestItem', mustBeAccepted: true, freeText: 'Hello' };

/**
 * Mix of reading, writing, pictures, files, syncs and mistakes. No answer grows with the number of
 * requests: lists contain constant data, or are filtered.
 */
const mix: readonly Mixed[] = [
	{ share: 10, status: 200, ask: (client) => client.ask('GET /Account/IdentityInfo') },
	{ share: 4, status: 200, ask: (client) => client.ask('GET /health') },
	{ share: 8, status: 200, ask: (client) => client.ask('GET /Relationships') },
	{
		share: 10,
		status: 200,
		ask: (client, _objects, number) =>
			client.ask(`GET /Messages?content.subject=Mail%20${number % 1_000}&createdAt=%3C2020`),
	},
	{
		share: 8,
		status: 200,
		ask: (client, { templateId }) => client.ask(`GET /RelationshipTemplates/${templateId}`),
	},
	{
		share: 4,
		status: 200,
		ask: (client, { templateId }) =>
			client.ask(`GET /RelationshipTemplates/${templateId}`, { headers: png }),
	},
	{
		share: 6,
		status: 200,
		ask: (client, { fileId }) => client.ask(`GET /Files/${fileId}/Download`),
	},
	{
		share: 10,
		status: 201,
		ask: (client, { peer }, number) =>
			client.ask('POST /Messages', {
				json: {
					recipients: [peer],
					content: { '@type': 'Mail', to: [peer], subject: `Mail ${number}`, body: 'Hello' },
				},
			}),
	},
	{
		share: 6,
		status: 201,
		ask: (client) =>
			client.ask('POST /RelationshipTemplates/Own', { json: { content, expiresAt: inOneHour() } }),
	},
	{
		share: 6,
		status: 201,
		ask: (client, _objects, number) =>
			client.ask('POST /Attributes', {
				json: { content: { value: { '@type': 'DisplayName', value: `Name ${number}` } } },
			}),
	},
	{
		share: 4,
		status: 200,
		ask: (client, { relationshipId }) => client.ask(`GET /Relationships/${relationshipId}`),
	},
	{
		share: 6,
		status: 201,
		ask: (client, { peer }) =>
			client.ask('POST /Requests/Outgoing/Validate', {
				json: { content: { items: [item] }, peer },
			}),
	},
	{
		share: 4,
		status: 201,
		ask: (client, _objects, number) =>
			client.ask('POST /Tokens/Own', {
				json: { content: { number }, expiresAt: inOneHour(), ephemeral: true },
			}),
	},
	{ share: 6, status: 204, ask: (client) => client.ask('POST /Account/Sync') },
	{
		share: 5,
		status: 400,
		ask: (client) => client.ask('POST /Attributes', { json: { content: { value: 5 } } }),
	},
	{ share: 3, status: 404, ask: (client) => client.ask('GET /Nowhere') },
];

const turns: readonly Mixed[] = mix.flatMap((mixed) => Array<Mixed>(mixed.share).fill(mixed));

/**
 * Sends the request with this number; a hundred consecutive ones have the shares above, spread out.
 *
 * @throws Error if the answer is not the expected one
 */
export async function askMixed(
	client: Client,
	objects: SoakedObjects,
	number: number,
): Promise<void> {
	// 37 and 100 are coprime, so the permutation visits each of the hundred places.
	const mixed = turns[(number * 37) % turns.length];
	if (mixed === undefined) throw new TypeError('the shares do not add up to a hundred');
	const { status, code } = await mixed.ask(client, objects, number);
	if (status === mixed.status) return;
	throw new Error(`request ${number}: ${status} ${code ?? ''} instead of ${mixed.status}`);
}
