import { systemRandom } from '../../../core/base/random';
import { parseGatewayConfig } from '../../../core/config';
import { openStore } from '../../../core/store/open-store';
import { arrivals, SandboxNetwork, settle } from '../../support/gateways';

/* Of several processes on one account, one syncs at a time (docs/adr/0021). */
it('a sync is given up while another process syncs for over 30 seconds, and works afterwards', async () => {
	const network = await SandboxNetwork.open();
	const config = network.config();
	let elapsedMs = 0;
	let perLookMs = 0;
	const clock = { now: () => Date.now() + (elapsedMs += perLookMs) };
	const gateway = await network.gateway(config, { clock });
	const elsewhere = await openStore(parseGatewayConfig(config), { clock, random: systemRandom });
	await elsewhere.transact((tx) => tx.leases.take('sync', 'another process', 3_600_000));
	network.backbone.calls.clear();

	// Ten seconds pass between two looks at the clock.
	perLookMs = 10_000;
	await expect(arrivals(gateway)).rejects.toMatchObject({
		code: 'error.gateway.sync.busyElsewhere',
		kind: 'unavailable',
		remedy: expect.stringContaining('Another process'),
	});
	perLookMs = 0;
	expect(network.backbone.calls.entries).toEqual([]);

	await elsewhere.transact((tx) => tx.leases.drop('sync', 'another process'));
	await settle(gateway);
	expect(await gateway.account.getSyncStatus()).toMatchObject({ lastSyncRun: expect.anything() });
	await elsewhere.close();
	await network.close();
});
