import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeveralAccounts, settingsFor } from '../../core/server/support/several-accounts';
import { SandboxNetwork } from '../../support/gateways';
import { testProgram } from '../../support/quick/test-program';

jest.setTimeout(120_000);

/* `npx n8n-nodes-enmeshed keys`, beside a running gateway */
const scratch = mkdtempSync(join(tmpdir(), 'enmeshed-keys-'));
const program = testProgram('scripts/cli/cli.ts');
const config = join(scratch, 'config.json');
let network: SandboxNetwork;
let gateway: SeveralAccounts;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	const settings = settingsFor(network, { accounts: { school: {} } });
	writeFileSync(config, JSON.stringify(settings));
	gateway = await SeveralAccounts.open(settings);
	await gateway.reaches('school', 'running');
	await gateway.ask('POST /accounts', { json: { name: 'branch' } });
	await gateway.reaches('branch', 'running');
});
afterAll(async () => {
	await gateway.close();
	await network.close();
	rmSync(scratch, { recursive: true });
});

interface Ended {
	readonly code: number;
	readonly out: string;
	readonly said: string;
}

function run(...words: readonly string[]): Promise<Ended> {
	return new Promise((resolve) => {
		execFile(
			process.execPath,
			[program, 'keys', ...words, '--config', config],
			{ env: { PATH: process.env.PATH, HOME: scratch }, cwd: scratch },
			(error, out, said) => {
				resolve({ code: error === null ? 0 : Number(error.code), out: out.trim(), said });
			},
		);
	});
}

const statusOf = async (path: string, key: string): Promise<number> =>
	(await gateway.ask(`GET ${path}`, { key })).status;

test('creates, lists, rotates and revokes a key of the default account', async () => {
	const created = await run('create', 'crm', '--scope', 'core:messages', '--scope', 'core:files');
	expect(created).toMatchObject({ code: 0, said: '' });
	expect(created.out).toMatch(/^enmeshed_\w{44}$/);
	expect(await statusOf('/api/v2/Messages', created.out)).toBe(200);
	expect(await statusOf('/api/v2/Relationships', created.out)).toBe(403);
	expect((await run('list')).out).toBe('crm  core:messages core:files');
	const rotated = await run('rotate', 'crm', '--overlap-hours', '0');
	expect(await statusOf('/api/v2/Messages', created.out)).toBe(401);
	expect(await statusOf('/api/v2/Messages', rotated.out)).toBe(200);
	expect((await run('revoke', 'crm')).code).toBe(0);
	expect(await statusOf('/api/v2/Messages', rotated.out)).toBe(401);
	expect((await run('list')).out).toBe('There is no stored key.');
});

test.each(['school', 'branch', 'BRANCH'])('creates a key of the account %s', async (name) => {
	const { out, said } = await run('create', `of-${name}`, '--account', name, '--json');
	expect(said).toBe('');
	const { key } = JSON.parse(out) as { key: string };
	expect(await statusOf(`/accounts/${name}/api/v2/Messages`, key)).toBe(200);
	expect(await statusOf('/api/v2/Messages', key)).toBe(401);
});

test.each<[number, RegExp, readonly string[]]>([
	[2, /one name/, ['create']],
	[2, /no name/, ['list', 'crm']],
	[2, /does not take --scope/, ['list', '--scope', 'core:*']],
	[2, /no stored key 'none'/, ['revoke', 'none']],
	[2, /There are: default, school, branch/, ['list', '--account', 'none']],
	[2, /number of hours/, ['rotate', 'none', '--overlap-hours', 'many']],
	[1, /expected a role/, ['create', 'crm', '--scope', 'core messages']],
	[1, /must be in the future/, ['create', 'crm', '--expires', '2001-01-01T00:00:00Z']],
	[2, /Unknown option '--colour'/, ['list', '--colour']],
])('ends with %d and says %s', async (code, words, given) => {
	const ended = await run(...given);
	expect([ended.code, ended.out]).toStrictEqual([code, '']);
	expect(ended.said).toMatch(words);
});
