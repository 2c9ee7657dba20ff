import { partsOf } from '../../../core/gateway/gateway-parts';
import { ownText } from '../../../core/model/json';
import { mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';

jest.setTimeout(60_000);

let network: SandboxNetwork;

beforeAll(async () => {
	network = await SandboxNetwork.open();
});
afterAll(() => network.close());

it('a wish to compare with the Backbone survives the sync that is under way', async () => {
	const [sender, receiver] = [await network.gateway(), await network.gateway()];
	const { addressB } = await relate(sender, receiver);
	const { queues } = network.backbone;
	await sender.messages.send(mailTo(addressB, 'told by an event'));
	queues.drop({ owner: addressB });
	await sender.messages.send(mailTo(addressB, 'dropped by the Backbone'));
	queues.restore();
	// The first event keeps the sync busy for a moment.
	queues.deliverAll();
	network.backbone.faults.add({
		method: 'GET',
		path: /ExternalEvents/,
		action: { kind: 'delay', durationMs: 300 },
	});
	const asked = network.backbone.faults.onNext('GET', /ExternalEvents/);
	const syncing = receiver.account.sync();
	await asked;
	// As a send does that finds out that the store is an old backup.
	await partsOf(receiver).store.transact(async (tx) => {
		const stored = await tx.syncState.get('sync');
		if (stored === undefined) throw new Error('the sync has not begun');
		await tx.syncState.update({ ...stored.record, reconciliationNeeded: true });
	});
	await syncing;
	const subjects = (await receiver.messages.list()).map(({ content }) =>
		ownText(content, 'subject'),
	);
	expect([...subjects].sort()).toEqual(['dropped by the Backbone', 'told by an event']);
});

it('a relationship is as the Backbone says, however often that changes and changes back', async () => {
	const [gateway, peer] = [await network.gateway(), await network.gateway()];
	const { relationshipId: id } = await relate(gateway, peer);
	await settle(gateway, peer);
	const status = async (): Promise<string> => {
		await gateway.account.reconcile({ full: true });
		return (await gateway.relationships.get(id)).status;
	};
	for (const unknown of ['Paused', 'InTransit', 'Paused']) {
		const rewrite = ({ result }: { result: object | object[] }): unknown => {
			const one = (relationship: object): object => ({ ...relationship, status: unknown });
			return { result: Array.isArray(result) ? result.map(one) : one(result) };
		};
		const restore = network.backbone.faults.add({
			method: 'GET',
			path: /Relationships/,
			times: 1_000,
			action: { kind: 'rewritten', rewrite },
		});
		expect(await status()).toBe(unknown);
		restore();
		expect(await status()).toBe('Active');
	}
});

it('a file that was handed over, back and over again belongs to its last owner', async () => {
	const [gateway, peer] = [await network.gateway(), await network.gateway()];
	const { addressA, addressB } = await relate(gateway, peer);
	const file = { filename: 'a.txt', mimetype: 'text/plain' };
	const {
		id,
		truncatedReference: reference,
		...own
	} = await gateway.files.upload(file, Buffer.from('content'));
	await peer.files.getOrLoad({ reference });
	network.backbone.queues.drop({ owner: addressA });
	network.backbone.queues.drop({ owner: addressB });
	let token = own.ownershipToken ?? '';
	for (const [claimant, former] of [
		[peer, gateway],
		[gateway, peer],
		[peer, gateway],
		[gateway, peer],
	] as const) {
		token = (await claimant.files.claimOwnership(id, token)).ownershipToken ?? '';
		await former.account.reconcile({ full: true });
		expect(await former.files.get(id)).toMatchObject({ isOwn: false });
	}
	network.backbone.queues.restore();
});

it('two processes that are asked to compare at once both do, and find each thing once', async () => {
	const folder = network.newFolder();
	const [sender, one, other] = [
		await network.gateway(),
		await network.gateway(network.config(folder)),
		await network.gateway(network.config(folder)),
	];
	const { addressB } = await relate(sender, one);
	const { queues, faults } = network.backbone;
	queues.drop({ owner: addressB });
	for (let mail = 0; mail < 12; mail++) await sender.messages.send(mailTo(addressB, `${mail}`));
	queues.restore();
	// The second order comes while the first one looks at the messages.
	const looking = faults.onNext('GET', /Messages\?/i);
	const delay = { kind: 'delay', durationMs: 300 } as const;
	faults.add({ method: 'GET', path: /Messages\?/i, action: delay });
	const ordinary = one.account.reconcile();
	await looking;
	const full = await other.account.reconcile({ full: true });
	expect(full).toMatchObject({ isFull: true, messages: { compared: 12, found: 0 } });
	// Its own answer, or the one of the later one, which it has waited for as well.
	expect(await ordinary).toMatchObject({ messages: { compared: 12 } });
	expect(await other.messages.list()).toHaveLength(12);
	const told = await other.events.recent({ names: ['transport.messageReceived'] }, 50);
	expect(told).toHaveLength(12);
});

it('a list of no use is left out, and is not a reason to look at nothing else', async () => {
	const [sender, receiver] = [await network.gateway(), await network.gateway()];
	const { addressB } = await relate(sender, receiver);
	const { queues, faults } = network.backbone;
	queues.drop({ owner: addressB });
	await sender.messages.send(mailTo(addressB, 'never announced'));
	queues.restore();
	const action = { kind: 'rewritten', rewrite: () => ({ result: 'no list' }) } as const;
	faults.add({ method: 'GET', path: /Relationships\?/i, times: 1_000, action });
	await expect(receiver.account.reconcile()).rejects.toMatchObject({
		code: 'error.gateway.sync.notReconciled',
	});
	expect(await receiver.messages.list()).toHaveLength(1);
	faults.clear();
	expect(await receiver.account.reconcile()).toMatchObject({ relationships: { compared: 1 } });
});
