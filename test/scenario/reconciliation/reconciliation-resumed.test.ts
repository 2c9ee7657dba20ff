import { partsOf } from '../../../core/gateway/gateway-parts';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';

jest.setTimeout(60_000);

let network: SandboxNetwork;

beforeAll(async () => {
	network = await SandboxNetwork.open({ maxUnreceivedMessages: 1_000 });
});
afterAll(() => network.close());

it('a comparison that was interrupted goes on at the page that it had reached', async () => {
	const [sender, receiver] = [await network.gateway(), await network.gateway()];
	const { addressB } = await relate(sender, receiver);
	const { queues, faults, calls } = network.backbone;
	queues.drop({ owner: addressB });
	for (let mail = 0; mail < 250; mail++) await sender.messages.send(mailTo(addressB, `${mail}`));
	const { store } = partsOf(receiver);
	const change = (reconciliationNeeded: boolean, dueAt: string) =>
		store.transact(async (tx) => {
			const state = (await tx.syncState.get('sync'))?.record;
			if (state?.reconciliation === undefined) throw new Error('nothing was synced');
			const reconciliation = { ...state.reconciliation, dueAt };
			await tx.syncState.update({ ...state, reconciliationNeeded, reconciliation });
		});
	await change(true, '2020-01-01T00:00:00.000Z');
	const secondPage = /Messages\?pageNumber=2&pageSize=100/i;
	faults.add({ method: 'GET', path: secondPage, times: 100, action: { kind: 'cutBefore' } });
	await receiver.account.sync();
	// The newest page was kept, and its mails have gone the ordinary way.
	expect(await receiver.messages.list()).toHaveLength(50);

	faults.clear();
	calls.clear();
	await change(false, '2020-01-01T00:00:00.000Z');
	await receiver.account.sync();
	expect(await receiver.messages.list()).toHaveLength(250);
	expect(calls.count('GET', /pageNumber=3&pageSize=100/i)).toBe(0);
	const { reconciliation } = (await store.read((tx) => tx.syncState.get('sync')))?.record ?? {};
	expect(reconciliation?.last?.messages).toEqual({ compared: 250, found: 250 });
	expect(reconciliation?.progress).toBeUndefined();
});

it('a comparison from the beginning that was killed stays one, and ends before the next', async () => {
	const [sender, receiver] = [await network.gateway(), await network.gateway()];
	const { addressB } = await relate(sender, receiver);
	const { faults, calls } = network.backbone;
	for (let mail = 0; mail < 250; mail++) await sender.messages.send(mailTo(addressB, `${mail}`));
	await network.settle(receiver);
	const firstPage = /Messages\?pageNumber=1&pageSize=100/i;
	faults.add({ method: 'GET', path: firstPage, times: 100, action: { kind: 'cutBefore' } });
	await expect(receiver.account.reconcile({ full: true })).rejects.toMatchObject({
		code: 'error.gateway.sync.notReconciled',
	});
	faults.clear();
	calls.clear();
	const { store } = partsOf(receiver);
	// As the successor of a killed process does, which finds that events may have been lost.
	await store.transact(async (tx) => {
		const state = (await tx.syncState.get('sync'))?.record;
		if (state === undefined) throw new Error('nothing was synced');
		await tx.syncState.update({ ...state, reconciliationNeeded: true });
	});
	await receiver.account.sync();
	await receiver.account.sync();
	// The rest of the first one, which is kept, and a cheap one after it.
	expect(calls.count('GET', firstPage)).toBe(1);
	expect(calls.count('GET', /pageNumber=2&pageSize=100/i)).toBe(0);
	expect(calls.count('GET', /pageNumber=3&pageSize=100/i)).toBe(1);
	const { reconciliation } = (await store.read((tx) => tx.syncState.get('sync')))?.record ?? {};
	expect(reconciliation?.progress).toBeUndefined();
	expect(reconciliation?.last).toMatchObject({ isFull: false });
});

it('a comparison that a restored backup had begun days ago is begun anew', async () => {
	const [sender, receiver] = [await network.gateway(), await network.gateway()];
	const { addressB } = await relate(sender, receiver);
	await sender.messages.send(mailTo(addressB, 'before the backup'));
	await network.settle(receiver);
	const { queues } = network.backbone;
	queues.drop({ owner: addressB });
	await sender.messages.send(mailTo(addressB, 'told to the lost store'));
	queues.restore();
	const startedAt = new Date(Date.now() - 48 * 3_600_000).toISOString();
	await partsOf(receiver).store.transact(async (tx) => {
		const state = (await tx.syncState.get('sync'))?.record;
		if (state === undefined) throw new Error('nothing was synced');
		const progress = { startedAt, isFull: false, kind: 'files' as const, counts: {} };
		const reconciliation = { dueAt: startedAt, progress };
		await tx.syncState.update({ ...state, reconciliation });
	});
	await receiver.account.sync();
	expect(await receiver.messages.list()).toHaveLength(2);
});
