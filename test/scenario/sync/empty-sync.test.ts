import { ownText } from '../../../core/model/json';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';

jest.setTimeout(60_000);

describe('a sync that finds nothing', () => {
	let network: SandboxNetwork;

	beforeEach(async () => {
		network = await SandboxNetwork.open();
	});

	afterEach(async () => {
		await network.close();
	});

	it('makes one call and writes nothing, and its time is told all the same', async () => {
		const folder = network.newFolder();
		const gateway = await network.gateway(network.config(folder));
		await settle(gateway);
		const log = join(folder, 'default.sqlite-wal');
		const before = statSync(log).size;
		const first = (await gateway.account.getSyncStatus()).lastSyncRun?.completedAt ?? '';
		network.backbone.calls.clear();
		await gateway.account.sync();
		await gateway.account.sync();
		expect(statSync(log).size).toBe(before);
		expect(network.backbone.calls.entries).toHaveLength(2);
		const last = (await gateway.account.getSyncStatus()).lastSyncRun?.completedAt ?? '';
		expect(last > first).toBe(true);
	});

	it('looks for lost messages after the answer to its call was lost', async () => {
		const [sender, receiver] = [await network.gateway(), await network.gateway()];
		const { addressB } = await relate(sender, receiver);
		await sender.messages.send(mailTo(addressB, 'lost and found'));
		network.backbone.queues.deliverAll();
		network.backbone.faults.add({
			method: 'POST',
			path: /SyncRuns$/,
			action: { kind: 'cutAfter' },
		});
		await expect(receiver.account.sync()).rejects.toMatchObject({ kind: 'unavailable' });
		// It was the last of three offers: when the run expires, the Backbone drops the event.
		const { openRun, openEvents } = network.backbone.state;
		for (const event of openEvents.get(addressB) ?? []) event.syncErrorCount = 2;
		const run = openRun.get(addressB);
		expect(run).toBeDefined();
		if (run !== undefined) run.expiresAt = 0;
		await settle(receiver);
		const subjects = (await receiver.messages.list()).map(({ content }) =>
			ownText(content, 'subject'),
		);
		expect(subjects).toEqual(['lost and found']);
	});
});
