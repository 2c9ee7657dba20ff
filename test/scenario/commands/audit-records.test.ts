import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntryDto, Gateway } from '../../../core';
import { SandboxNetwork } from '../../support/gateways';
import { testProgram } from '../../support/quick/test-program';

jest.setTimeout(120_000);

/* `npx n8n-nodes-enmeshed audit` */
const scratch = mkdtempSync(join(tmpdir(), 'enmeshed-audit-'));
const program = testProgram('scripts/cli/cli.ts');
let network: SandboxNetwork;
let folder: string;
let gateway: Gateway;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	folder = network.newFolder();
	gateway = await network.gateway(network.config(folder));
});
afterAll(async () => {
	await network.close();
	rmSync(scratch, { recursive: true });
});

interface Ended {
	readonly code: number;
	readonly out: string;
	readonly said: string;
}

function run(words: readonly string[]): Promise<Ended> {
	return new Promise((resolve) => {
		const env = {
			PATH: process.env.PATH,
			HOME: scratch,
			ENMESHED_CLIENT_ID: 'test',
			ENMESHED_CLIENT_SECRET: 'test',
			ENMESHED_FILE_PASSWORD: 'a long enough password',
		};
		const child = execFile(
			process.execPath,
			[program, ...words],
			{ env, cwd: scratch },
			(error, out, said) => {
				resolve({ code: error === null ? 0 : Number(error.code), out, said });
			},
		);
		child.stdin?.end();
	});
}

const audit = (command: string, ...words: readonly string[]): Promise<Ended> =>
	run(['audit', command, '--from', `sqlite:${folder}`, ...words]);

const record = (object: string): Promise<number> =>
	gateway.audit.record({
		account: 'default',
		actor: { kind: 'key', name: 'crm' },
		method: 'POST',
		route: '/Messages',
		object,
	});

function changeRows(statement: string): void {
	const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.sqlite'));
	const database = new DatabaseSync(join(folder, file));
	database.exec(statement);
	database.close();
}

describe('the command audit', () => {
	it('says that there is nothing before the first row', async () => {
		expect(await audit('head')).toMatchObject({ code: 1, out: 'Nothing has been recorded.\n' });
		expect(await audit('verify')).toMatchObject({ code: 1 });
	});

	it('verifies and exports while the account is in use, and in a copy of it', async () => {
		for (const object of ['MSG1', 'MSG2', 'MSG3']) await record(object);
		const verified = await audit('verify');
		expect(verified).toMatchObject({ code: 0, said: '' });
		expect(verified.out).toMatch(/^All 3 rows are as they were written\. The newest row is 3:/);
		const head = (await audit('head')).out.trim();
		expect(head).toMatch(/^3:[\w-]{43}$/);
		await record('MSG4');
		expect(await audit('verify', '--head', head)).toMatchObject({ code: 0 });

		const lines = (await audit('export', '--after', '1')).out.trim().split('\n');
		const rows = lines.map((line) => JSON.parse(line) as AuditEntryDto);
		expect(rows).toMatchObject([{ number: 2, object: 'MSG2' }, { number: 3 }, { number: 4 }]);
		const file = join(scratch, 'audit.ndjson');
		expect(await audit('export', '--to', file)).toMatchObject({
			out: `4 rows were written to ${file}.\n`,
		});
		expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5);
		expect((await audit('export', '--to', file)).code).toBe(1);

		const backup = join(scratch, 'backup');
		const place = ['--offline', '--from', `sqlite:${folder}`];
		expect((await run(['account', 'export', ...place, '--to', backup])).code).toBe(0);
		const copy = `sqlite:${network.newFolder()}`;
		const back = ['--offline', '--from', backup, '--to', copy];
		expect((await run(['account', 'import', ...back])).code).toBe(0);
		const there = await run(['audit', 'verify', '--from', copy, '--head', head, '--json']);
		expect(JSON.parse(there.out)).toMatchObject({ ok: true, checked: 4, findings: [] });
	});

	it('reads the account of serve as its configuration says', async () => {
		const config = join(scratch, 'config.json');
		const { baseUrl } = network.backbone;
		const client = { platformClientId: 'test', platformClientSecret: 'test' };
		const settings = { transportLibrary: { baseUrl, ...client }, database: { folder } };
		writeFileSync(config, JSON.stringify(settings));
		expect(await run(['audit', 'verify', '--config', config])).toMatchObject({ code: 0 });
	});

	it('names what was changed and removed', async () => {
		await gateway.close();
		changeRows("pragma foreign_keys = on; delete from audit_entries where id = '2'");
		const found = await audit('verify');
		expect(found).toMatchObject({
			code: 1,
			out: 'Row 2: removed\nRow 3: cannot be checked, because the row before is not known\n',
		});
		expect(JSON.parse((await audit('verify', '--json')).out)).toMatchObject({ ok: false });
	});

	it.each([
		[['audit']],
		[['audit', 'repair']],
		[['audit', 'verify', '--to', 'x']],
		[['audit', 'export', '--json']],
		[['audit', 'export', '--after', 'x']],
		[['audit', 'head', '--serve', '--from', 'sqlite']],
		[['audit', 'head', '--unknown']],
	])('refuses %j as wrong use', async (words) => {
		expect((await run(words)).code).toBe(2);
	});
});
