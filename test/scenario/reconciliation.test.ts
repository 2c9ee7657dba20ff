import { mailTo, relate, SandboxNetwork } from '../support/gateways';

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
	await receiver['parts'].store.transact(async (tx) => {
		const stored = await tx.syncState.get('sync');
		if (stored === undefined) throw new Error('the sync has not begun');
		await tx.syncState.update({ ...stored.record, reconciliationNeeded: true });
	});
	await syncing;
	const subjects = (await receiver.messages.list()).map(({ content }) => content['subject']);
	expect([...subjects].sort()).toEqual(['dropped by the Backbone', 'told by an event']);
});
