import type { Gateway } from '../../../core';
import { arrivals, relate, SandboxNetwork } from '../../support/gateways';

/* An account that was taken back to a backup from before it decomposed a relationship. */
describe('an event of a relationship that the account no longer knows to be decomposed', () => {
	let network: SandboxNetwork;
	let account: Gateway;
	let relationshipId: string;

	beforeEach(async () => {
		network = await SandboxNetwork.open();
		account = await network.gateway();
		const peer = await network.gateway();
		const related = await relate(account, peer);
		({ relationshipId } = related);
		await peer.relationships.terminate(relationshipId);
		const row = network.backbone.state.relationships.get(relationshipId);
		if (row === undefined) throw new Error('The Backbone has no such relationship');
		row.decomposedBy.push(related.addressA);
		row.status = 'DeletionProposed';
	});

	afterEach(() => network.close());

	it('fails no sync, and shows the state that the list still tells', async () => {
		const { pendingFailures } = await arrivals(account);
		expect(pendingFailures).toEqual([]);
		expect(await account.relationships.get(relationshipId)).toMatchObject({
			status: 'DeletionProposed',
		});
	});

	it('is done where the list tells nothing either', async () => {
		network.backbone.faults.add({
			method: 'GET',
			path: /Relationships\?/,
			times: Infinity,
			action: { kind: 'rewritten', rewrite: () => ({ result: [] }) },
		});
		const { pendingFailures } = await arrivals(account);
		expect(pendingFailures).toEqual([]);
		expect(await account.problems.list()).toEqual([]);
	});
});
