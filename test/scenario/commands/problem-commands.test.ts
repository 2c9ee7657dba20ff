import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxNetwork } from '../../support/gateways';
import { until } from '../../support/until';
import { testProgram } from '../../support/quick/test-program';
import { ok, Receiver } from '../../core/publish/webhooks/support/receiver';
import { atOnce } from '../../core/publish/webhooks/support/webhook-bench';
import { apiKey } from '../../core/server/support/http-gateway';

/* `npx n8n-nodes-enmeshed account problems|retry|discard|reconcile`, beside a running `serve` */
jest.setTimeout(180_000);

const folder = mkdtempSync(join(tmpdir(), 'enmeshed-parked-'));
const program = testProgram('scripts/cli/cli.ts');
const file = join(folder, 'config.json');
let network: SandboxNetwork;

beforeAll(async () => {
	network = await SandboxNetwork.open();
});
afterAll(async () => {
	await network.close();
	rmSync(folder, { recursive: true });
});

function account(...words: readonly string[]): Promise<{ code: number; text: string }> {
	return new Promise((resolve) => {
		// 'config.json' of the working folder is what serve finds by itself.
		const all = [program, 'account', ...words, '--serve'];
		execFile(process.execPath, all, { cwd: folder }, (error, stdout, stderr) => {
			resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout + stderr });
		});
	});
}

it('lists what a webhook did not take, has it sent again, and discards it', async () => {
	let isRepaired = false;
	const receiver = await Receiver.open(() => (isRepaired ? ok : { status: 410 }));
	writeFileSync(
		file,
		JSON.stringify({
			transportLibrary: {
				baseUrl: network.backbone.baseUrl,
				platformClientId: 'test',
				platformClientSecret: 'test',
			},
			database: { folder: network.newFolder() },
			infrastructure: { httpServer: { apiKey, port: 0 } },
			modules: {
				webhooks: {
					enabled: true,
					targets: { crm: { url: receiver.url } },
					webhooks: [{ triggers: ['consumption.attributeCreated'], target: 'crm' }],
					retry: { ...atOnce, maxAttempts: 1 },
				},
			},
		}),
	);
	const none = await account('problems');
	expect(none).toEqual({
		code: 1,
		text: expect.stringContaining('error.transport.general.noIdentityFound') as string,
	});
	const server = spawn(process.execPath, [program, 'serve', '--config', file], { cwd: folder });
	let said = '';
	for (const stream of [server.stdout, server.stderr]) {
		stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
	}
	await until(() => said.includes('listening on'));
	const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '';
	for (const value of ['a', 'b']) {
		await fetch(`${address}/api/v2/Attributes`, {
			method: 'POST',
			headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ content: { value: { '@type': 'DisplayName', value } } }),
		});
	}
	await until(() => said.split('is parked').length === 3);
	const listed = await account('problems', '--consumer', 'webhook:crm');
	expect(listed.code).toBe(0);
	const ids = [...listed.text.matchAll(/EVT\d{12}@webhook:crm/g)].map(([id]) => id);
	expect(ids).toHaveLength(2);
	expect(listed.text).toContain('consumption.attributeCreated was not accepted by webhook:crm');
	expect(listed.text).toContain('answered 410');
	expect((await account('problems', '--consumer', 'webhook:other')).text).toBe(
		'There is no problem.\n',
	);

	expect((await account('discard')).code).toBe(2);
	const discarded = await account('discard', ids[0] ?? '', '--config', file);
	expect(discarded).toMatchObject({ code: 0, text: expect.stringContaining(': discarded') });
	expect((await account('problems', ...ids)).text.match(/EVT\d{12}/g)).toHaveLength(1);
	isRepaired = true;
	const before = receiver.received.length;
	const retried = await account('retry', '--all', '--consumer', 'webhook:crm');
	expect(retried).toMatchObject({ code: 0, text: expect.stringContaining('waiting') });
	await until(() => receiver.received.length > before);
	expect(receiver.received.at(-1)?.body.data.content.value.value).toBe('b');
	await until(() => said.includes('a parked delivery was accepted'));
	expect((await account('problems')).text).toBe('There is no problem.\n');
	const missing = await account('retry', ids[0] ?? '');
	expect([missing.code, missing.text]).toEqual([
		1,
		expect.stringContaining('error.gateway.problems.unknown'),
	]);

	const compared = await account('reconcile', '--full');
	expect(compared).toEqual({ code: 0, text: expect.stringContaining('messages: 0 compared') });

	// Settings of the server and its modules concern `serve` only.
	const settings = JSON.parse(readFileSync(file, 'utf8'));
	settings.infrastructure.httpServer.port = 'none';
	settings.modules.webhooks.targets = 'none';
	writeFileSync(file, JSON.stringify(settings));
	expect(await account('problems')).toEqual({ code: 0, text: 'There is no problem.\n' });

	const ended = once(server, 'exit');
	server.kill('SIGTERM');
	expect((await ended)[0]).toBe(0);
	await receiver.down();
});
