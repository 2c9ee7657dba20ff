import { relate, SandboxNetwork, settle } from '../../support/gateways';

let network: SandboxNetwork;
beforeEach(async () => {
	network = await SandboxNetwork.open();
});
afterEach(() => network.close());

it('an action that the Backbone refuses is not looked for by syncs', async () => {
	const own = await network.gateway();
	const { relationshipId: id } = await relate(own, await network.gateway());
	network.backbone.faults.add({
		method: 'PUT',
		path: /Terminate$/,
		action: {
			kind: 'status',
			status: 400,
			body: { error: { code: 'error.platform.validation.anything', message: 'No.' } },
		},
	});
	await expect(own.relationships.terminate(id)).rejects.toMatchObject({
		code: 'error.platform.validation.anything',
	});
	network.backbone.calls.clear();
	await settle(own);
	expect(network.backbone.calls.count('GET', /Relationships/)).toBe(0);
	await expect(own.relationships.terminate(id)).resolves.toMatchObject({ status: 'Terminated' });
});
