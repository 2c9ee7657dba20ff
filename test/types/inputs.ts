import type { Gateway } from '../../index';

/* Inputs of the facade: what must compile, and what must not. Only compiled, never run. */

const expiresAt = '2030-01-01T00:00:00.000Z';

export async function right({
	attributes,
	messages,
	outgoingRequests,
	relationships,
	templates,
}: Gateway) {
	await attributes.create({ content: { value: { '@type': 'GivenName', value: 'Anna' } } });
	const { id } = await templates.create({
		expiresAt,
		maxNumberOfAllocations: 1,
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
	});
	await templates.loadPeer({ reference: 'nmshd://tr#abc', password: 'secret' });
	await relationships.create({
		templateId: id,
		creationContent: { '@type': 'ArbitraryRelationshipCreationContent', value: 1 },
	});
	const mail = { '@type': 'Mail' as const, to: ['did:e:a:dids:1'], subject: 'S', body: 'B' };
	await messages.send({ recipients: ['did:e:a:dids:1'], content: mail }, { idempotencyKey: 'k' });
	await outgoingRequests.create({ peer: 'did:e:a:dids:1', content: { items: [] } });
	const listed = await messages.list({
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: 5,
	});
	return listed.map((message) => message.id);
}

export async function wrong(gateway: Gateway) {
	// @ts-expect-error misspelled members
	await gateway.messages.send({ recipents: 7, conten: {} });
	// @ts-expect-error recipients are texts
	await gateway.messages.send({ recipients: [7], content: {} });
	// @ts-expect-error the content is missing
	await gateway.messages.send({ recipients: ['did:e:a:dids:1'] });
	// @ts-expect-error a template needs a time at which it expires
	await gateway.templates.create({ content: { '@type': 'ArbitraryRelationshipTemplateContent' } });
	// @ts-expect-error a number of people is a number
	await gateway.templates.create({ expiresAt, content: {}, maxNumberOfAllocations: '1' });
	// @ts-expect-error a reference is called reference
	await gateway.templates.loadPeer({ ref: 'nmshd://tr#abc' });
	// @ts-expect-error a value names its type
	await gateway.attributes.create({ content: { value: { value: 'Anna' } } });
	// @ts-expect-error lists have fields of their own
	await gateway.messages.list({ orderBy: { field: 'colour', direction: 'desc' } });
	// @ts-expect-error and two directions
	await gateway.messages.list({ orderBy: { field: 'inserted', direction: 'down' } });
	// @ts-expect-error the peer of the request is missing
	await gateway.outgoingRequests.create({ content: { items: [] } });
	// @ts-expect-error a decision has items
	await gateway.incomingRequests.accept('REQaaaaaaaaaaaaaaaaa', { decision: 'yes' });
	// @ts-expect-error private parts are no part of a gateway
	return gateway.parts;
}
