import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxNetwork } from '../../support/gateways';
import { until } from '../../support/until';
import { testProgram } from '../../support/quick/test-program';
import { apiKey } from '../../core/server/support/http-gateway';

jest.setTimeout(120_000);

/* `npx n8n-nodes-enmeshed serve` */
const folder = mkdtempSync(join(tmpdir(), 'enmeshed-serve-'));
const program = testProgram('scripts/cli/cli.ts');
let network: SandboxNetwork;

beforeAll(async () => {
	network = await SandboxNetwork.open();
});
afterAll(async () => {
	await network.close();
	rmSync(folder, { recursive: true });
});

interface Started {
	readonly process: ChildProcess;
	readonly said: () => string;
}

function start(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Started {
	return run(['serve', ...words], environment);
}

function run(words: readonly string[], environment: NodeJS.ProcessEnv): Started {
	const child = spawn(process.execPath, [program, ...words], {
		cwd: folder,
		env: { PATH: process.env.PATH, ...environment },
	});
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
	}
	return { process: child, said: () => text };
}

async function exitCode({ process: child }: Started): Promise<unknown> {
	if (child.exitCode === null) await once(child, 'exit');
	return child.exitCode;
}

function configuration(): NodeJS.ProcessEnv {
	return {
		transportLibrary__baseUrl: network.backbone.baseUrl,
		PLATFORM_CLIENT_ID: 'test',
		PLATFORM_CLIENT_SECRET: 'test',
		API_KEY: apiKey,
		infrastructure__httpServer__port: '0',
		database__folder: network.newFolder(),
	};
}

describe('the command serve', () => {
	it('interface 5: point 1 | serves the interface with client id and secret, and stops when it is told to', async () => {
		const file = join(folder, 'from-file.json');
		writeFileSync(file, JSON.stringify({ modules: { sync: { enabled: true, interval: 1 } } }));
		const started = start(['--config', file], configuration());
		await until(() => started.said().includes('listening on'));
		const address = /http:\/\/127\.0\.0\.1:\d+/.exec(started.said())?.[0] ?? '';
		const answer = await fetch(`${address}/api/v2/Account/IdentityInfo`, {
			headers: { 'x-api-key': apiKey },
		});
		const { result } = (await answer.json()) as { result: { address: string } };
		expect(started.said()).toContain(`as ${result.address}`);
		expect((await fetch(`${address}/health`)).status).toBe(200);
		const support = await fetch(`${address}/Monitoring/Support`, {
			headers: { 'x-api-key': apiKey },
		});
		expect(await support.json()).toMatchObject({
			health: { isHealthy: true },
			identityInfo: result,
			configuration: { infrastructure: { httpServer: { apiKey: 'redacted, but enabled' } } },
		});
		started.process.kill('SIGTERM');
		expect(await exitCode(started)).toBe(0);
		expect(started.said()).not.toContain(apiKey);
	});

	it('warns of a key for an account that does not exist', async () => {
		const key = { key: `${apiKey}-of-north`, accounts: ['nrth', 'North', '*', 'default'] };
		const started = start([], {
			...configuration(),
			accounts__north: '{}',
			infrastructure__httpServer__connectorVersion: '6',
			infrastructure__httpServer__authentication__apiKey__keys__own: JSON.stringify(key),
		});
		await until(() => started.said().includes('listening on'));
		started.process.kill('SIGTERM');
		await exitCode(started);
		expect(started.said().match(/opens the account '\w+'/g)).toEqual(["opens the account 'nrth'"]);
	});

	it('serves version 7 where its keys are configured, and says why', async () => {
		const { API_KEY: _key, ...rest } = configuration();
		const key = 'infrastructure__httpServer__authentication__apiKey__keys__crm__key';
		const started = start([], { ...rest, [key]: apiKey });
		await until(() => started.said().includes('it serves'));
		expect(started.said()).toContain(
			"version 7 below /api/core/v1 and version 6 below /api/v2, because 'infrastructure.httpServer.authentication' is set",
		);
		const address = /http:\/\/127\.0\.0\.1:\d+/.exec(started.said())?.[0] ?? '';
		const ask = (path: string): Promise<Response> =>
			fetch(address + path, { headers: { 'x-api-key': apiKey } });
		for (const path of ['/api/core/v1/Account/IdentityInfo', '/api/v2/Account/IdentityInfo']) {
			expect((await ask(path)).status).toBe(200);
		}
		expect(await (await ask('/Monitoring/Support')).json()).toMatchObject({
			configuration: {
				infrastructure: { httpServer: { authentication: { apiKey: 'redacted (enabled)' } } },
			},
		});
		started.process.kill('SIGTERM');
		expect(await exitCode(started)).toBe(0);
		expect(started.said()).not.toContain(apiKey);
	});

	it('writes lines of JSON with the id of their request, and figures with the name of the account', async () => {
		const environment = { logging__format: 'json', database__dbName: 'crm' };
		const started = start([], { ...configuration(), ...environment });
		const lines = () =>
			started
				.said()
				.split('\n')
				.filter((line) => line !== '')
				.map((line) => JSON.parse(line) as Record<string, unknown>);
		await until(() => lines().some(({ message }) => String(message).startsWith('listening on')));
		const address = /http:\/\/127\.0\.0\.1:\d+/.exec(started.said())?.[0] ?? '';
		const headers = { 'x-api-key': apiKey, 'x-correlation-id': 'asked "1"' };
		expect((await fetch(`${address}/api/v2/Messages/x\ny`, { headers })).status).toBe(400);
		const figures = await (await fetch(`${address}/metrics`, { headers })).text();
		expect(figures).toContain('enmeshed_account_up{account="crm"} 1');
		const ofRequest = () => lines().filter(({ correlationId }) => correlationId === 'asked "1"');
		await until(() => ofRequest().length > 1);
		for (const line of ofRequest()) {
			expect(Object.keys(line).slice(0, 5)).toEqual([
				...['time', 'level', 'logger', 'message', 'correlationId'],
			]);
			expect(line).toMatchObject({ level: 'info', logger: 'gateway.http' });
		}
		started.process.kill('SIGTERM');
		expect(await exitCode(started)).toBe(0);
		expect(lines().length).toBeGreaterThan(3);
		expect(started.said()).not.toContain(apiKey);
	});

	it('names every setting that is wrong, and does not start', async () => {
		const { API_KEY: _key, ...rest } = configuration();
		const started = start([], { ...rest, modules__webhooksV2__enabled: 'true' });
		expect(await exitCode(started)).toBe(1);
		expect(started.said()).toContain('modules.webhooksV2');
		expect(started.said()).toContain('infrastructure.httpServer');
	});

	it('names a setting of the root in the environment that cannot work, and does not start', async () => {
		const pinned = start([], { ...configuration(), enforceCertificatePinning: 'true' });
		expect(await exitCode(pinned)).toBe(1);
		expect(pinned.said()).toContain("where 'enforceCertificatePinning' is set");
		const broken = start([], { ...configuration(), database: '{"folder":' });
		expect(await exitCode(broken)).toBe(1);
		expect(broken.said()).toContain('\n  database: is not an object');
	});

	it('takes the account from a setting of the root in the environment, and runs without HTTP', async () => {
		const { database__folder: place = '', API_KEY: _key, ...rest } = configuration();
		const started = start([], {
			...rest,
			database: JSON.stringify({ folder: place }),
			infrastructure__httpServer__enabled: 'false',
		});
		await until(() => started.said().includes('running without HTTP server as did:e:'));
		expect(readdirSync(place)).not.toEqual([]);
		started.process.kill('SIGTERM');
		expect(await exitCode(started)).toBe(0);
	});

	it('interface 5: point 1 | says so when the Backbone refuses the client', async () => {
		const started = start([], { ...configuration(), PLATFORM_CLIENT_SECRET: 'wrong' });
		expect(await exitCode(started)).toBe(1);
		expect(started.said()).toContain('error.transport.general.platformClientInvalid');
	});

	it('serves the stored data of an identity that was deleted', async () => {
		const environment = configuration();
		const folder = environment['database__folder'] ?? '';
		const gateway = await network.gateway({ ...network.config(folder), account: 'default' });
		await gateway.identityDeletion.initiate({ lengthOfGracePeriodInDays: 0 });
		await gateway.close();
		network.backbone.deletions.runJob();
		network.backbone.revokeAccessTokens();
		const started = start([], environment);
		await until(() => started.said().includes('listening on'));
		expect(started.said()).toContain('Only stored data can be read.');
		const address = /http:\/\/127\.0\.0\.1:\d+/.exec(started.said())?.[0] ?? '';
		const headers = { 'x-api-key': apiKey };
		const info = await fetch(`${address}/api/v2/Account/IdentityInfo`, { headers });
		expect(info.status).toBe(200);
		const sync = await fetch(`${address}/api/v2/Account/Sync`, { method: 'POST', headers });
		expect(await sync.text()).toContain('error.gateway.identity.deleted');
		started.process.kill('SIGTERM');
		expect(await exitCode(started)).toBe(0);
	});

	it('says so when the port is taken', async () => {
		const port = new URL(network.backbone.baseUrl).port;
		const started = start([], { ...configuration(), infrastructure__httpServer__port: port });
		expect(await exitCode(started)).toBe(1);
		expect(started.said()).toContain('error.gateway.http.cannotListen');
	});

	it('helps', async () => {
		const started = start(['--help']);
		expect(await exitCode(started)).toBe(0);
		expect(started.said()).toContain('--config <file>');
	});
});

/* docs/protocol/http-api.md 15.1 */
describe('the commands about the own identity', () => {
	let environment: NodeJS.ProcessEnv;
	beforeAll(() => {
		environment = configuration();
	});

	async function outcome(...words: string[]): Promise<{ code: unknown; lines: string[] }> {
		const started = run(words, environment);
		return { code: await exitCode(started), lines: started.said().trimEnd().split('\n') };
	}

	it('http-api 18.1: modules/cli 1; http-api 18.1: modules/cli 2; http-api 18.2: command line; connector-7 11: identity status | show, begin and cancel a deletion', async () => {
		const fresh = await outcome('identity', 'status');
		expect(fresh).toEqual({
			code: 0,
			lines: [expect.stringMatching(/^Identity Address: did:e:localhost:dids:[0-9a-f]{22}$/)],
		});
		expect(await outcome('identityDeletion', 'init')).toEqual({
			code: 0,
			lines: ['Identity deletion initiated'],
		});
		expect((await outcome('identity', 'status')).lines).toEqual([
			fresh.lines[0],
			'Identity deletion status: Approved',
			expect.stringMatching(/^End of grace period: .*20\d\d/),
		]);
		const version7 = { ...environment, infrastructure__httpServer__connectorVersion: '7' };
		const shown = run(['identity', 'status'], version7);
		expect(await exitCode(shown)).toBe(0);
		expect(shown.said()).toContain('\nIdentity deletion status: Active\n');
		expect(await outcome('identityDeletion', 'cancel')).toEqual({
			code: 0,
			lines: ['Identity deletion cancelled'],
		});
		expect(await outcome('identity', 'status')).toEqual(fresh);
	});

	it('say why they cannot, with code', async () => {
		const { code, lines } = await outcome('identityDeletion', 'cancel');
		expect(code).toBe(1);
		expect(lines[0]).toContain(
			'error.runtime.identityDeletionProcess.noApprovedIdentityDeletionProcess',
		);
	});

	it.each([[['identity']], [['identityDeletion', 'delete']], [['identity', 'status', 'now']]])(
		'help when they are not understood: %j',
		async (words) => {
			const { code, lines } = await outcome(...words);
			expect(code).toBe(2);
			expect(lines[0]).toContain('Usage: n8n-nodes-enmeshed identity status');
		},
	);
});
