import type { Gateway, KeepSyncedOptions } from '../../../core';
import { accountFile } from '../../support/accounts/account-file';
import { arrivals, mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { until } from '../../support/until';

/*
 * n8n ends without closing gateways: it only closes its triggers. What they leave behind must not look
 * like an interrupted sync, after which everything is compared with the Backbone.
 */

let network: SandboxNetwork;
let folder: string;
let own: Gateway;
const following: KeepSyncedOptions = {
	intervalMs: 3_600_000,
	push: false,
	onProblem: () => undefined,
};
beforeEach(async () => {
	network = await SandboxNetwork.open();
	folder = network.newFolder();
	own = await network.gateway(network.config(folder));
});
afterEach(() => network.close());

const marks = (): number =>
	accountFile(folder).count("select count(*) as n from leases where name like 'sync-run:%'");
const hasLostEvents = (): boolean =>
	accountFile(folder).count(
		`select count(*) as n from sync_state_documents where document like '%"reconciliationNeeded":true%'`,
	) > 0;

describe('a gateway that nothing follows any more', () => {
	it('has no mark of a sync when the last follower has let go of it, and one as long as any has not', async () => {
		const [first, second] = [own.events.keepSynced(following), own.events.keepSynced(following)];
		await until(() => marks() === 1);
		await first.release();
		expect(marks()).toBe(1);
		await second.release();
		expect(marks()).toBe(0);
	});

	it('is followed again as if nothing had been', async () => {
		const former = own.events.keepSynced(following);
		await until(() => marks() === 1);
		const released = former.release();
		const next = own.events.keepSynced(following);
		await released;
		await until(() => marks() === 1);
		await next.release();
		expect(marks()).toBe(0);
	});

	it('has no mark some seconds after a sync by hand', async () => {
		await own.account.sync();
		await own.account.sync();
		expect(marks()).toBe(1);
		await until(() => marks() === 0);
	});
});

describe('a follower that lets go while the Backbone is being asked', () => {
	it('loses no run: what it has brought is stored, and found by the next sync', async () => {
		const peer = await network.gateway();
		const { addressA } = await relate(own, peer);
		await peer.messages.send(mailTo(addressA, 'on its way'));
		network.backbone.queues.deliverAll();
		network.backbone.faults.add({
			method: 'POST',
			path: /SyncRuns$/,
			action: { kind: 'delay', durationMs: 300 },
		});
		const asked = network.backbone.faults.onNext('POST', /SyncRuns$/);
		const follower = own.events.keepSynced(following);
		await asked;
		await follower.release();
		expect([marks(), hasLostEvents()]).toEqual([0, false]);
		expect((await arrivals(own)).messages).toMatchObject([{ content: { subject: 'on its way' } }]);
		expect(hasLostEvents()).toBe(false);
	});
});
