import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { mailTo, relate, TestNetwork } from '../../support/gateways';

jest.setTimeout(120_000);

interface Outcome {
	readonly received: string[];
	readonly delivered: number[];
	readonly problems: string[];
}

const scratch = mkdtempSync(join(tmpdir(), 'enmeshed-processes-'));
const program = join(scratch, 'worker.cjs');
let network: TestNetwork;

beforeAll(async () => {
	buildSync({
		entryPoints: [join(__dirname, 'worker.ts')],
		bundle: true,
		format: 'cjs',
		logLevel: 'error',
		outfile: program,
		platform: 'node',
		target: 'node22',
	});
	network = await TestNetwork.open({ maxUnreceivedMessages: 1_000 });
});

afterAll(async () => {
	await network.close();
	rmSync(scratch, { recursive: true, force: true });
});

function work(task: object): Promise<Outcome> {
	return new Promise((resolve, reject) => {
		execFile(process.execPath, [program, JSON.stringify(task)], (error, stdout, stderr) => {
			if (error === null) resolve(JSON.parse(stdout) as Outcome);
			else reject(new Error(`the process failed: ${stderr}`));
		});
	});
}

it('two processes on one store both work, one at a time syncs, and nothing is lost or doubled', async () => {
	const [sends, receives] = [15, 20];
	const folder = network.newFolder();
	const gateway = await network.gateway(network.config(folder));
	const peer = await network.gateway();
	const { addressA, addressB } = await relate(gateway, peer);
	await gateway.close();
	network.backbone.calls.clear();

	const task = { baseUrl: network.backbone.baseUrl, folder, to: addressB, sends, receives };
	const running = ['one', 'two'].map((name) => work({ ...task, name }));
	for (let sent = 1; sent <= receives; sent++) {
		await peer.messages.send(mailTo(addressA, `from the peer ${sent}`));
	}
	const [one, two] = await Promise.all(running);

	// What the peer wrote is in the store once, and every consumer was given it once.
	expect(one?.received).toHaveLength(receives);
	expect(new Set(one?.received)).toEqual(new Set(two?.received));
	expect(new Set(one?.delivered).size).toBe(receives);
	expect(one?.delivered).toEqual(two?.delivered);
	expect([one?.problems, two?.problems]).toEqual([[], []]);
	// Both may ask for a run at the same time; whoever was refused one leaves the run to the other.
	const refused = network.backbone.calls.entries.filter(
		({ path, status }) => path.includes('SyncRuns') && status >= 400,
	);
	expect(
		refused.filter(({ method, path }) => !(method === 'POST' && /SyncRuns$/.test(path))),
	).toEqual([]);

	await peer.account.sync();
	const subjects = (await peer.messages.list()).flatMap(({ content, isOwn }) =>
		isOwn ? [] : [String(content['subject'])],
	);
	const expected = ['one', 'two'].flatMap((name) =>
		Array.from({ length: sends }, (_, index) => `${name} ${index + 1}`),
	);
	expect([...subjects].sort()).toEqual(expected.sort());
	const counters = [...network.backbone.state.messages.values()]
		.filter(({ createdBy }) => createdBy === addressA)
		.flatMap(({ recipients }) => recipients)
		.map(({ encryptedKey }) => Buffer.from(encryptedKey, 'base64url').toString('utf8'))
		.map((cipher) => (JSON.parse(cipher) as { cnt: number }).cnt);
	expect(new Set(counters).size).toBe(2 * sends);
});
