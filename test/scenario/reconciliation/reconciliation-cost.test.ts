import type { Gateway } from '../../../core';
import { inOneHour, mailTo, relate, SandboxNetwork } from '../../support/gateways';

jest.setTimeout(120_000);

/* docs/adr/0025-reconciliation.md: a comparison that has nothing to find is cheap */
describe('a comparison with the Backbone', () => {
	let network: SandboxNetwork;
	let own: Gateway;

	beforeEach(async () => {
		network = await SandboxNetwork.open({ majorVersion: 6, maxUnreceivedMessages: 1_000 });
		own = await network.gateway();
	});
	afterEach(() => network.close());

	const countDuring = async (path: RegExp, work: () => Promise<unknown>): Promise<number> => {
		const { calls } = network.backbone;
		calls.clear();
		await work();
		return calls.count('GET', path);
	};

	it('asks for a few files that no list shows, each in its turn, and for all when it is full', async () => {
		const peer = await network.gateway();
		const ids: string[] = [];
		for (const name of ['first', 'second', 'third', 'fourth', 'fifth']) {
			const made = await peer.files.upload(
				{ filename: name, mimetype: 'text/plain', title: name, expiresAt: inOneHour() },
				Buffer.from(name),
			);
			const { id } = await own.files.getOrLoad({ reference: made.truncatedReference });
			await own.files.claimOwnership(id, made.ownershipToken ?? '');
			ids.push(id);
		}
		const looks = /Files\/[^/]+\/metadata/i;
		const asked = new Set<string>();
		for (let run = 0; run < 2 * ids.length; run++) {
			expect(await countDuring(looks, () => own.account.reconcile())).toBeLessThanOrEqual(1);
			for (const { path } of network.backbone.calls.entries) {
				const id = ids.find((one) => looks.test(path) && path.includes(one));
				if (id !== undefined) asked.add(id);
			}
		}
		expect(asked.size).toBe(ids.length);
		const full = () => own.account.reconcile({ full: true });
		expect(await countDuring(looks, full)).toBe(ids.length);
	});

	it('asks about a few peers, each in its turn, and about all when anything was lost', async () => {
		const peers = await Promise.all(Array.from({ length: 5 }, () => network.gateway()));
		for (const peer of peers) await relate(own, peer);
		const { address } = await own.account.getIdentity();
		const looks = /CanCreate/i;
		const { queues } = network.backbone;
		queues.drop({ owner: address });
		await peers[4]?.identityDeletion.initiate();
		for (let run = 0; run < 3; run++) {
			expect(await countDuring(looks, () => own.account.reconcile())).toBeLessThanOrEqual(3);
		}
		const planned = async (): Promise<number> =>
			(await own.relationships.list()).filter(({ peerDeletionInfo }) => peerDeletionInfo).length;
		expect(await planned()).toBe(1);
		await peers[3]?.identityDeletion.initiate();
		await peers[2]?.identityDeletion.initiate();
		await peers[0]?.messages.send(mailTo(address, 'never announced'));
		await own.account.reconcile();
		expect(await planned()).toBe(3);
	});

	it('looks once for an unreadable message, however old it is', async () => {
		const peer = await network.gateway();
		await relate(own, peer);
		const { address } = await own.account.getIdentity();
		const { id } = await peer.messages.send(mailTo(address, 'unreadable'));
		const row = network.backbone.state.messages.get(id);
		if (row === undefined) throw new Error('The sandbox does not have the message');
		row.body = Buffer.from('nothing that was sealed').toString('base64');
		for (let mail = 0; mail < 220; mail++) await peer.messages.send(mailTo(address, `${mail}`));
		await network.settle(own);
		expect(await own.messages.list()).toHaveLength(220);
		await own.account.reconcile();
		const pages = /Messages\?.*pageSize=100/i;
		expect(await countDuring(pages, () => own.account.reconcile())).toBe(1);
		expect(await own.account.reconcile()).toMatchObject({ messages: { found: 0 } });
	});
});
