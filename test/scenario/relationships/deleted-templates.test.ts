import type { Gateway, GatewayDependencies, TemplateDto } from '../../../core';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { TestClock } from '../../support/clock';
import { arrivals, inOneHour, SandboxNetwork, settle } from '../../support/gateways';

jest.setTimeout(60_000);

const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: { a: 1 } };
const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: {} };
const notFound = { code: 'error.runtime.recordNotFound' };

describe('a deleted template', () => {
	let network: SandboxNetwork;
	let owner: Gateway;
	let peer: Gateway;

	const create = (gateway: Gateway): Promise<TemplateDto> =>
		gateway.templates.create({ content, expiresAt: inOneHour() });

	beforeEach(async () => {
		network = await SandboxNetwork.open();
		owner = await network.gateway();
		peer = await network.gateway();
	});

	afterEach(async () => {
		await network.close();
	});

	it('is gone for its owner and for peers', async () => {
		const { id, truncatedReference: reference } = await create(owner);
		await owner.templates.delete(id);
		await expect(owner.templates.get(id)).rejects.toMatchObject(notFound);
		await expect(owner.templates.delete(id)).rejects.toMatchObject(notFound);
		await expect(owner.templates.qrCode(id, 'link')).rejects.toMatchObject(notFound);
		await expect(owner.templates.qrCodeSvg(id, 'link')).rejects.toMatchObject(notFound);
		expect(await owner.templates.list()).toEqual([]);
		await expect(peer.templates.loadPeer({ reference })).rejects.toMatchObject(notFound);
	});

	it('still lets in who asked before', async () => {
		const { id, truncatedReference: reference } = await create(owner);
		const loaded = await peer.templates.loadPeer({ reference });
		const { id: relationshipId } = await peer.relationships.create({
			templateId: loaded.id,
			creationContent,
		});
		await owner.templates.delete(id);
		const { relationships } = await arrivals(owner);
		expect(relationships).toMatchObject([{ id: relationshipId, status: 'Pending' }]);
		expect(relationships[0]?.template).not.toHaveProperty('deletedAt');
		expect(await owner.relationships.accept(relationshipId)).toMatchObject({ status: 'Active' });
	});

	it('of a peer is only forgotten, and may be loaded again', async () => {
		const { truncatedReference: reference } = await create(owner);
		const { id } = await peer.templates.loadPeer({ reference });
		network.backbone.calls.clear();
		await peer.templates.delete(id);
		expect(network.backbone.calls.entries).toEqual([]);
		await expect(peer.templates.get(id)).rejects.toMatchObject(notFound);
		expect(await peer.templates.loadPeer({ reference })).toMatchObject({ id });
	});

	it('of a peer still leads to the relationship whose creation was not answered', async () => {
		const { truncatedReference: reference } = await create(owner);
		const { id: templateId } = await peer.templates.loadPeer({ reference });
		network.backbone.faults.add({
			method: 'POST',
			path: /Relationships/,
			action: { kind: 'cutAfter' },
		});
		const creation = { templateId, creationContent };
		await expect(peer.relationships.create(creation)).rejects.toMatchObject({
			kind: 'unavailable',
		});
		await peer.templates.delete(templateId);
		expect(await peer.templates.list()).toEqual([]);
		await expect(peer.relationships.create(creation)).rejects.toMatchObject(notFound);
		const [arrived] = (await arrivals(owner)).relationships;
		await owner.relationships.accept(arrived?.id ?? '');
		expect(await arrivals(peer)).toMatchObject({
			relationships: [{ id: arrived?.id, status: 'Active' }],
			pendingFailures: [],
		});
	});

	it.each(['cutBefore', 'cutAfter'] as const)(
		'is deleted by the next sync when the call was %s',
		async (kind) => {
			const { id } = await create(owner);
			network.backbone.faults.add({
				method: 'DELETE',
				path: /RelationshipTemplates/,
				times: 10,
				action: { kind },
			});
			await expect(owner.templates.delete(id)).rejects.toMatchObject({ kind: 'unavailable' });
			expect(await owner.templates.list()).toMatchObject([{ id }]);
			network.backbone.faults.clear();
			await settle(owner);
			expect(await owner.templates.list()).toEqual([]);
			expect(network.backbone.state.templates.has(id)).toBe(false);
		},
	);

	it('is forgotten when nothing can come of it any more', async () => {
		const clock = new TestClock(Date.now());
		const dependencies: GatewayDependencies = { clock };
		const gateway = await network.gateway(network.config(), dependencies);
		const { id } = await create(gateway);
		const { id: kept } = await create(gateway);
		await gateway.templates.delete(id);
		const stored = () => partsOf(gateway).store.read((tx) => tx.templates.count());
		expect(await stored()).toBe(2);
		clock.advance(2 * 3_600_000);
		const synced = network.backbone.calls.count('POST', /SyncRuns$/);
		const following = gateway.events.keepSynced({
			intervalMs: 60_000,
			push: false,
			onProblem: () => undefined,
		});
		while (network.backbone.calls.count('POST', /SyncRuns$/) === synced || (await stored()) === 2) {
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		following.release();
		expect(await stored()).toBe(1);
		expect(await gateway.templates.list()).toMatchObject([{ id: kept }]);
	});
});
