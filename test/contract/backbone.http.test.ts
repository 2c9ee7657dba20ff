import { HttpBackbone } from '../../core/backbone/http/http-backbone';
import { SandboxBackbone, type SandboxOptions } from '../../sandbox/sandbox-backbone';
import { describeBackboneContract } from './backbone.contract';

const clientId = 'test';
const clientSecret = 'test';

async function openHost(options: SandboxOptions) {
	const sandbox = await SandboxBackbone.open({ clientId, clientSecret, ...options });
	return {
		didDomain: new URL(sandbox.baseUrl).hostname,
		connect: (client: { readonly clientSecret?: string } = {}) =>
			HttpBackbone.open({ baseUrl: sandbox.baseUrl, clientId, clientSecret, ...client }),
		close: () => sandbox.close(),
	};
}

describeBackboneContract('HTTP to a Backbone of major version 6', () =>
	openHost({ majorVersion: 6 }),
);

describeBackboneContract('HTTP to a Backbone of major version 7', () =>
	openHost({ majorVersion: 7 }),
);

describe('HTTP to a Backbone with faults', () => {
	let sandbox: SandboxBackbone;
	let backbone: HttpBackbone;

	beforeEach(async () => {
		sandbox = await SandboxBackbone.open({ clientId, clientSecret });
		backbone = HttpBackbone.open({
			baseUrl: sandbox.baseUrl,
			clientId,
			clientSecret,
			retry: { baseWaitMs: 1 },
		});
	});

	afterEach(async () => {
		await backbone.close();
		await sandbox.close();
	});

	it.each([
		['cut before it was seen', { kind: 'cutBefore' }],
		['cut after it was done', { kind: 'cutAfter' }],
		['a truncated body', { kind: 'truncatedBody' }],
		['503', { kind: 'status', status: 503 }],
	] as const)('heals a harmless call after %s', async (_name, action) => {
		sandbox.faults.add({ path: /Challenges/, action });
		const challenge = await backbone.challenges.create({ anonymous: true });
		expect(challenge.id).toMatch(/^CHL/);
	});

	it('gives the code of what does not heal', async () => {
		sandbox.faults.add({ path: /Challenges/, action: { kind: 'malformedBody' } });
		await expect(backbone.challenges.create({ anonymous: true })).rejects.toMatchObject({
			code: 'error.transport.request.resultUndefined',
		});
	});
});
