import { judged, type Gateway } from '../../core';
import { inOneHour, mailTo } from '../../test/support/gateways';
import type { Kind } from '../harness/mix';
import type { Asked, Client } from '../served/client';

type Asking = Asked | ((number: number) => Asked);

const relationshipContent = (type: string): object => ({
	'@type': `ArbitraryRelationship${type}Content`,
	value: { soak: true },
});

/**
 * Connects a served gateway with a peer, creates one object of each kind, and returns a mix of
 * reading, writing, pictures, files, syncs and mistakes. No answer grows with the number of
 * requests: lists contain constant data, or are filtered.
 */
export async function mixedRequests(client: Client, peer: Gateway): Promise<Kind[]> {
	const template = () => ({ content: relationshipContent('Template'), expiresAt: inOneHour() });
	const { id: templateId, truncatedReference: reference } = await client.result<{
		readonly id: string;
		readonly truncatedReference: string;
	}>('POST /RelationshipTemplates/Own', { json: template() });
	const loaded = await peer.templates.loadPeer({ reference });
	const { id: relationshipId } = await peer.relationships.create({
		templateId: loaded.id,
		creationContent: judged(relationshipContent('Creation')),
	});
	await client.result('POST /Account/Sync');
	await client.result(`PUT /Relationships/${relationshipId}/Accept`);
	await peer.account.sync();
	const { address } = await client.result<{ address: string }>('GET /Account/IdentityInfo');
	await peer.messages.send(mailTo(address));
	const form = new FormData();
	form.set('file', new Blob([Buffer.alloc(10_000, 'x')], { type: 'text/plain' }), 'a.txt');
	form.set('title', 'A');
	const { id: fileId } = await client.result<{ id: string }>('POST /Files/Own', { form });
	const to = (await peer.account.getIdentity()).address;

	const kind = (
		share: number,
		status: number,
		call: string | ((number: number) => string),
		asked: Asking = {},
	): Kind => ({
		name: typeof call === 'string' ? call : call(0),
		share,
		allowed: [status],
		async play(number) {
			const path = typeof call === 'string' ? call : call(number);
			const answer = await client.ask(path, typeof asked === 'function' ? asked(number) : asked);
			return answer.status;
		},
	});
	const item = { '@type': 'FreeTextRequestItem', mustBeAccepted: true, freeText: 'Hello' };
	const attribute = (value: unknown): Asked => ({ json: { content: { value } } });
	return [
		kind(10, 200, 'GET /Account/IdentityInfo'),
		kind(4, 200, 'GET /health'),
		kind(8, 200, 'GET /Relationships'),
		kind(
			10,
			200,
			(number) => `GET /Messages?content.subject=Mail%20${number % 1_000}&createdAt=%3C2020`,
		),
		kind(8, 200, `GET /RelationshipTemplates/${templateId}`),
		kind(4, 200, `GET /RelationshipTemplates/${templateId}`, { headers: { accept: 'image/png' } }),
		kind(6, 200, `GET /Files/${fileId}/Download`),
		kind(10, 201, 'POST /Messages', (number) => ({ json: mailTo(to, `Mail ${number}`) })),
		kind(6, 201, 'POST /RelationshipTemplates/Own', () => ({ json: template() })),
		kind(6, 201, 'POST /Attributes', (number) =>
			attribute({ '@type': 'DisplayName', value: `Name ${number}` }),
		),
		kind(4, 200, `GET /Relationships/${relationshipId}`),
		kind(6, 201, 'POST /Requests/Outgoing/Validate', {
			json: { content: { items: [item] }, peer: to },
		}),
		kind(4, 201, 'POST /Tokens/Own', (number) => ({
			json: { content: { number }, expiresAt: inOneHour(), ephemeral: true },
		})),
		kind(6, 204, 'POST /Account/Sync'),
		kind(5, 400, 'POST /Attributes', attribute(5)),
		kind(3, 404, 'GET /Nowhere'),
	];
}
