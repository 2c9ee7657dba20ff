import { SandboxNetwork, settle } from '../../support/gateways';

/* What the operator of a Backbone sees of a new account. */
describe.each([6, 7] as const)('the first start at a Backbone %i', (majorVersion) => {
	let network: SandboxNetwork;

	beforeEach(async () => {
		network = await SandboxNetwork.open({ majorVersion });
	});
	afterEach(() => network.close());

	const calls = (): string[] =>
		network.backbone.calls.entries.map(({ method, path, status }) => {
			const name = path.replace(/^\/api\/v\d/, '').replace(/SYR\w+/, '{id}');
			return `${method} ${name} ${status}`;
		});

	/** The only call that looks at a client before there is an identity (core/backbone/http/client-check.ts). */
	const clientCheck = 'POST /connect/token 400';

	it('makes no call that is answered with an error, except the check of the client', async () => {
		const gateway = await network.gateway();
		await settle(gateway);
		const failed = calls().filter((call) => !/ 2\d\d$/.test(call));
		expect(failed).toEqual([clientCheck]);
	});

	it('makes no more calls than it needs', async () => {
		const gateway = await network.gateway();
		expect(calls()).toEqual([
			'GET /Version 200',
			clientCheck,
			'POST /Challenges 201',
			'POST /Identities 201',
			'POST /connect/token 200',
			'POST /SyncRuns 201',
			'PUT /SyncRuns/{id}/FinalizeDatawalletVersionUpgrade 200',
		]);
		await settle(gateway);
		expect(calls().at(-1)).toBe('POST /SyncRuns 200');
	});

	it('asks for the datawallet when an earlier start was interrupted', async () => {
		const config = network.config();
		network.backbone.faults.add({
			method: 'PUT',
			path: /FinalizeDatawalletVersionUpgrade/,
			times: 10,
			action: { kind: 'cutAfter' },
		});
		await expect(network.gateway(config)).rejects.toThrow();
		network.backbone.faults.clear();
		network.backbone.calls.clear();
		await network.gateway(config);
		expect(calls()).toContain('GET /Datawallet 200');
		expect(calls().filter((call) => / 4\d\d$/.test(call))).toEqual([]);
	});
});
