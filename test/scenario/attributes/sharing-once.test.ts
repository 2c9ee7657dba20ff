import type { Gateway } from '../../../core';
import { relate, SandboxNetwork, settle } from '../../support/gateways';

jest.setTimeout(60_000);

const once = { idempotencyKey: 'once' };

describe('sharing an attribute under an idempotency key', () => {
	let network: SandboxNetwork;
	let a: Gateway;
	let b: Gateway;
	let peer: string;
	let attributeId: string;
	beforeEach(async () => {
		network = await SandboxNetwork.open();
		a = await network.gateway();
		b = await network.gateway();
		({ addressB: peer } = await relate(a, b));
		const content = { value: { '@type': 'GivenName' as const, value: 'Ada' } };
		({ id: attributeId } = await a.attributes.create({ content }));
	});
	afterEach(() => network.close());

	const requestsAtB = async () => {
		await settle(b);
		return await b.incomingRequests.list();
	};

	it('asks the peer once, and repetitions answer what has become of it', async () => {
		const { id } = await a.attributes.share(attributeId, { peer }, once);
		expect(await a.attributes.share(attributeId, { peer }, once)).toMatchObject({ id });
		const [asked, ...others] = await requestsAtB();
		expect([asked?.id, others]).toEqual([id, []]);
		await b.incomingRequests.accept(id, { items: [{ accept: true }] });
		await settle(a);
		expect(await a.attributes.share(attributeId, { peer }, once)).toMatchObject({
			id,
			status: 'Completed',
		});
		expect(await a.outgoingRequests.list()).toHaveLength(1);
	});

	it('asks once when callers come at the same time', async () => {
		const both = await Promise.all(
			[1, 2].map(() => a.attributes.share(attributeId, { peer }, once)),
		);
		expect(new Set(both.map(({ id }) => id)).size).toBe(1);
		expect(await requestsAtB()).toHaveLength(1);
	});

	it('asks once when the Backbone was away at first', async () => {
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			times: 100,
			action: { kind: 'status', status: 503, body: {} },
		});
		const { id } = await a.attributes.share(attributeId, { peer }, once);
		expect(await requestsAtB()).toEqual([]);
		network.backbone.faults.clear();
		expect(await a.attributes.share(attributeId, { peer }, once)).toMatchObject({ id });
		expect((await requestsAtB()).map((request) => request.id)).toEqual([id]);
	});

	it('asks again after the message was refused for good', async () => {
		network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: { kind: 'status', status: 400, body: {} },
		});
		await expect(a.attributes.share(attributeId, { peer }, once)).rejects.toThrow();
		await a.attributes.share(attributeId, { peer }, once);
		expect(await requestsAtB()).toHaveLength(1);
	});

	it('proposes a relationship attribute once', async () => {
		const content = {
			value: { '@type': 'ProprietaryString' as const, title: 'T', value: 'V' },
			key: 'k',
			confidentiality: 'public' as const,
		};
		const { id } = await a.attributes.createAndShareRelationshipAttribute({ content, peer }, once);
		const again = await a.attributes.createAndShareRelationshipAttribute({ content, peer }, once);
		expect(again.id).toBe(id);
		expect(await requestsAtB()).toHaveLength(1);
	});

	it('refuses a key that named something else', async () => {
		const content = { '@type': 'Mail' as const, to: [peer], cc: [], subject: 's', body: 'b' };
		await a.messages.send({ recipients: [peer], content }, once);
		await expect(a.attributes.share(attributeId, { peer }, once)).rejects.toMatchObject({
			code: 'error.runtime.recordNotFound',
		});
	});
});
