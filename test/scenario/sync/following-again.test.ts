import type { KeepSyncedOptions } from '../../../core';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { until } from '../../support/until';

jest.setTimeout(15_000);

/* A trigger that is published again lets go of its gateway and asks for it at once: it must not take its
   own former connection for the one of another process, and look again only after 20 seconds. */
describe('following the Backbone again right after letting it go', () => {
	let network: SandboxNetwork;

	beforeEach(async () => {
		network = await SandboxNetwork.open();
	});

	afterEach(() => network.close());

	it('opens the push connection again and is told news by it', async () => {
		const own = await network.gateway();
		const peer = await network.gateway();
		const { addressA: ownAddress } = await relate(own, peer);
		const problems: string[] = [];
		const following: KeepSyncedOptions = {
			intervalMs: 3_600_000,
			push: true,
			onProblem: (problem) => problem && problems.push(problem.code),
		};
		const connections = countConnections(network);

		const former = own.events.keepSynced(following);
		await until(async () => (await own.account.getSyncStatus()).pushConnected);
		former.release();
		const next = own.events.keepSynced(following);
		await until(() => connections() === 2);
		await peer.messages.send(mailTo(ownAddress, 'announced'));
		const where = [{ field: 'subject', op: 'contains', value: 'announced' } as const];
		await until(async () => (await own.messages.list({ where })).length === 1);
		next.release();
		expect(problems).toEqual([]);
	});
});

function countConnections({ backbone }: SandboxNetwork): () => number {
	let count = 0;
	const listen = (): void => {
		void backbone.faults.onNext('GET', /\/sse$/i).then(() => {
			count++;
			listen();
		});
	};
	listen();
	return () => count;
}
