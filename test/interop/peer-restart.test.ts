import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { Peer, PeerError, type Generation } from '../support/peer/peer';

jest.setTimeout(60_000);

describe('an official runtime as the wallet of tests and of the first run', () => {
	let backbone: SandboxBackbone;
	let folder: string;
	beforeAll(async () => {
		backbone = await SandboxBackbone.open();
		folder = mkdtempSync(join(tmpdir(), 'peer-test-'));
	});
	afterAll(async () => {
		await backbone.close();
		rmSync(folder, { recursive: true, force: true });
	});

	it.each<Generation>([6, 7])(
		'keeps the account of generation %d in a folder',
		async (generation) => {
			const config = { baseUrl: backbone.baseUrl, folder: join(folder, String(generation)) };
			const first = await Peer.start(generation, config);
			const { id } = await first.createAttribute({ '@type': 'GivenName', value: 'Ada' });
			await first.stop();
			const second = await Peer.start(generation, config);
			expect(second.address).toBe(first.address);
			expect(await second.attributes()).toMatchObject([{ id }]);
			await second.stop();
		},
	);

	it('hands on what the runtime refuses and does not outlive its driver', async () => {
		const peer = await Peer.start(6, { baseUrl: backbone.baseUrl });
		await expect(peer.message('MSGunknownunknownun')).rejects.toThrow(PeerError);
		await expect(peer.message('MSGunknownunknownu01')).rejects.toMatchObject({
			code: 'error.runtime.recordNotFound',
		});
		await expect(peer.call('transport.nothing', 'atAll')).rejects.toThrow(/messages/);
		await peer.stop();
		await expect(peer.sync()).rejects.toThrow(/is gone/);
	});

	it.each([6, 7] as const)('of generation 7 works on a Backbone %d', async (majorVersion) => {
		const its = await SandboxBackbone.open({ majorVersion });
		const peer = await Peer.start(7, { baseUrl: its.baseUrl });
		await peer.sync();
		await peer.stop();
		await its.close();
	});

	it('of generation 6 cannot use a Backbone 7, which lacks its paths', async () => {
		const its = await SandboxBackbone.open({ majorVersion: 7 });
		const failed = Peer.start(6, { baseUrl: its.baseUrl });
		await expect(failed).rejects.toMatchObject({ code: 'error.transport.request.notFound' });
		await its.close();
	});

	it('says why it does not start', async () => {
		const wrong = { baseUrl: backbone.baseUrl, clientSecret: 'wrong' };
		await expect(Peer.start(6, wrong)).rejects.toThrow(PeerError);
	});
});
