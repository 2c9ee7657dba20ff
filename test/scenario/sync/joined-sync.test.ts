import type { Gateway } from '../../../core';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';

/** of an answer: long enough to join the sync that waits for it */
const answerTakesMs = 500;

describe('a sync that others join, or end', () => {
	let network: SandboxNetwork;
	let gateway: Gateway;

	beforeEach(async () => {
		network = await SandboxNetwork.open();
		gateway = await network.gateway();
		const peer = await network.gateway();
		const { addressA } = await relate(gateway, peer);
		await peer.messages.send(mailTo(addressA));
		network.backbone.queues.deliverAll();
	});

	afterEach(() => network.close());

	/** Resolves when the next sync waits for a message. */
	async function nextSyncWaits(): Promise<void> {
		const { faults } = network.backbone;
		const path = /Messages/;
		faults.add({ method: 'GET', path, action: { kind: 'delay', durationMs: answerTakesMs } });
		await faults.onNext('GET', path);
	}

	it('is carried out when the trigger that began the other one is deactivated', async () => {
		const waits = nextSyncWaits();
		const following = gateway.events.keepSynced({
			intervalMs: 60_000,
			push: false,
			onProblem: () => undefined,
		});
		await waits;
		const joined = gateway.account.sync();
		const [outcome] = await Promise.allSettled([joined, following.release()]);
		expect(outcome).toMatchObject({ status: 'fulfilled' });
	});

	it('says so when the gateway is closed meanwhile', async () => {
		const waits = nextSyncWaits();
		const syncing = gateway.account.sync();
		await waits;
		const [outcome] = await Promise.allSettled([syncing, gateway.close()]);
		expect(outcome).toMatchObject({ reason: { code: 'error.gateway.backbone.closed' } });
	});

	it('is carried out when the execution that began the other one is cancelled', async () => {
		const waits = nextSyncWaits();
		const execution = new AbortController();
		const cancelled = gateway.account.sync({ signal: execution.signal });
		await waits;
		const joined = gateway.account.sync();
		execution.abort();
		const [first, second] = await Promise.allSettled([cancelled, joined]);
		expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
	});
});
