import { judged, type Gateway } from '../../core';
import { inOneHour, mailTo } from '../../test/support/gateways';
import type { Client } from '../served/client';
import type { SoakedObjects } from './mixed-requests';

const relationshipContent = (type: string): object => ({
	'@type': `ArbitraryRelationship${type}Content`,
	value: { soak: true },
});

interface Identified {
	readonly id: string;
}

/** Connects a served gateway with a peer, and creates one object of each kind. */
export async function prepare(client: Client, peer: Gateway): Promise<SoakedObjects> {
	const template = await client.result<Identified & { truncatedReference: string }>(
		'POST /RelationshipTemplates/Own',
		{ json: { content: relationshipContent('Template'), expiresAt: inOneHour() } },
	);
	const loaded = await peer.templates.loadPeer({ reference: template.truncatedReference });
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
	const { id: fileId } = await client.result<Identified>('POST /Files/Own', { form });
	const peerAddress = (await peer.account.getIdentity()).address;
	return { peer: peerAddress, relationshipId, templateId: template.id, fileId };
}
