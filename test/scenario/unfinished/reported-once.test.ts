import { relate, SandboxNetwork } from '../../support/gateways';

it('an operation that the Backbone never got is not reported by each sync', async () => {
	const network = await SandboxNetwork.open();
	try {
		const [own, peer] = [await network.gateway(), await network.gateway()];
		const { relationshipId } = await relate(own, peer);
		await network.settle(own, peer);
		network.backbone.faults.add({
			method: 'PUT',
			path: /Terminate$/,
			times: Number.MAX_SAFE_INTEGER,
			action: { kind: 'cutBefore' },
		});
		await expect(own.relationships.terminate(relationshipId)).rejects.toThrow();
		const { relationships } = await own.account.sync();
		expect(relationships).toEqual([]);
	} finally {
		await network.close();
	}
});
