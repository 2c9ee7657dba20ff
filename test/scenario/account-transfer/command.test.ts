import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { askSecret } from '../../../scripts/cli/ask-secret';
import { TestNetwork } from '../../support/gateways';
import { testProgram } from '../../support/quick/test-program';
import { fullAccount } from './full-account';
import { accountStateIn, placeIn } from './places';

jest.setTimeout(120_000);

const password = 'a long enough password';
const scratch = mkdtempSync(join(tmpdir(), 'enmeshed-account-command-'));
const program = testProgram('scripts/cli/cli.ts');
const secrets = {
	ENMESHED_CLIENT_ID: 'test',
	ENMESHED_CLIENT_SECRET: 'test',
	ENMESHED_FILE_PASSWORD: password,
};
let network: TestNetwork;

beforeAll(async () => {
	network = await TestNetwork.open();
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

/** No person sits at a terminal. */
function run(words: readonly string[], environment: NodeJS.ProcessEnv = secrets): Promise<Ended> {
	return new Promise((resolve) => {
		const env = { PATH: process.env.PATH, HOME: scratch, ...environment };
		const child = execFile(
			process.execPath,
			[program, 'account', ...words],
			{ env, cwd: scratch },
			(error, out, said) => {
				resolve({ code: error === null ? 0 : Number(error.code), out, said });
			},
		);
		child.stdin?.end();
	});
}

const resultOf = ({ out }: Ended): unknown => JSON.parse(out);

describe('the command account', () => {
	it('says which is a move and which is a backup', async () => {
		const { code, out } = await run(['--help']);
		expect(code).toBe(0);
		for (const word of ['BACKUP', 'MOVE', '--retire', 'ENMESHED_FILE_PASSWORD', 'Exit codes']) {
			expect(out).toContain(word);
		}
	});

	it('backs up, verifies and imports, in plain sentences', async () => {
		const { folder, address } = await fullAccount(network);
		const file = join(scratch, 'plain.enmeshed');
		const exported = await run(['export', '--from', `sqlite:${folder}`, '--to', file]);
		expect(exported).toMatchObject({ code: 0 });
		expect(exported.out).toMatch(/was copied from .* and proven: \d+ records\.\nThis is a backup/);
		const verified = await run(['verify', '--from', file]);
		expect(verified).toMatchObject({ code: 0 });
		expect(verified.out).toContain(address);
		rmSync(join(folder, 'default.sqlite'));
		const imported = await run(['import', '--from', file, '--to', `sqlite:${folder}`]);
		expect(imported).toMatchObject({ code: 0 });
		await (await network.gateway(network.config(folder))).close();
		for (const { out, said } of [exported, verified, imported]) {
			expect(`${out}${said}`).not.toContain(password);
		}
	});

	it('moves to another account name and store, told as JSON', async () => {
		const { folder, address } = await fullAccount(network);
		const other = network.newFolder();
		const words = ['--from', `sqlite:${folder}`, '--to', `sqlite:${other}`];
		const moved = await run(['export', ...words, '--to-account', 'second', '--json']);
		expect(moved.code).toBe(0);
		expect(moved.said.split('\n')[0]).toMatch(`Copying ${address} from`);
		expect(resultOf(moved)).toMatchObject({ ok: true, done: 'moved', address, resumed: false });
		expect(await accountStateIn(placeIn(folder))).toMatchObject({ state: 'retired' });
		expect(await accountStateIn(placeIn(other, { account: 'second' }))).toMatchObject({
			state: 'living',
		});
		const compared = await run(['verify', ...words, '--to-account', 'second', '--json']);
		expect(compared).toMatchObject({ code: 0 });
		expect(resultOf(compared)).toMatchObject({ ok: true, differences: [] });
	});

	it('tells a refusal with code and remedy, as sentences and as JSON', async () => {
		const { folder } = await fullAccount(network);
		const gateway = await network.gateway(network.config(folder));
		const words = ['export', '--from', `sqlite:${folder}`, '--to', `sqlite:${network.newFolder()}`];
		const [plain, json] = await Promise.all([run(words), run([...words, '--json'])]);
		expect(plain.code).toBe(1);
		expect(plain.said).toMatch(/error\.gateway\.store\.openElsewhere: .*\nStop n8n/);
		expect(json.code).toBe(1);
		expect(resultOf(json)).toMatchObject({
			ok: false,
			error: { code: 'error.gateway.store.openElsewhere', remedy: expect.any(String) as string },
		});
		await gateway.close();
	});

	it.each<readonly [string, readonly string[], NodeJS.ProcessEnv, RegExp]>([
		['no command', [], secrets, /Expected one of/],
		['an unknown command', ['copy'], secrets, /Expected one of/],
		['an unknown option', ['export', '--too', 'x'], secrets, /too/],
		['no place', ['export'], secrets, /--to is missing/],
		['two files', ['export', '--from', 'a.x', '--to', 'b.x'], secrets, /must be a store/],
		['--retire for a store', ['export', '--to', 'sqlite:/x', '--retire'], secrets, /for files/],
		['no client', ['export', '--to', 'a.x'], {}, /ENMESHED_CLIENT_ID.*--offline/],
		['no password', ['export', '--to', 'a.x', '--offline'], {}, /ENMESHED_FILE_PASSWORD/],
		[
			'a password in an argument',
			['export', '--to', 'postgres://me:hidden@host/db'],
			secrets,
			/must not be an argument/,
		],
	])('is used wrongly with %s', async (_name, words, environment, sentence) => {
		const { code, said, out } = await run(words, environment);
		expect([code, out]).toEqual([2, '']);
		expect(said).toMatch(sentence);
		expect(said).not.toContain('hidden');
		expect(existsSync(join(scratch, 'a.x'))).toBe(false);
	});

	it('refuses names that would be other paths', async () => {
		const words = ['export', '--to', 'a.x', '--account', '../default', '--json'];
		const ended = await run(words);
		expect(ended.code).toBe(1);
		expect(resultOf(ended)).toMatchObject({
			error: { code: 'error.gateway.configuration.invalid', facts: { field: 'account' } },
		});
	});
});

describe('a secret that is asked for', () => {
	function terminal() {
		const modes: boolean[] = [];
		const input = Object.assign(new PassThrough(), {
			isTTY: true,
			setRawMode: (isRaw: boolean) => modes.push(isRaw),
		});
		const output = new PassThrough();
		return { input, output, modes, shown: () => String(output.read() ?? '') };
	}

	it('is not shown, and can be corrected', async () => {
		const { input, output, modes, shown } = terminal();
		const asked = askSecret('Password: ', { input, output });
		input.write('secrex');
		input.write('\u007ft\r');
		expect(await asked).toBe('secret');
		expect(modes).toEqual([true, false]);
		expect(shown()).toBe('Password: \n');
	});

	it('is not asked for without a terminal', async () => {
		const { input, output } = terminal();
		input.isTTY = false;
		expect(await askSecret('Password: ', { input, output })).toBeUndefined();
	});

	it('ends with Ctrl-C, the terminal as it was', async () => {
		const { input, output, modes } = terminal();
		const asked = askSecret('Password: ', { input, output });
		input.write('sec\u0003');
		await expect(asked).rejects.toThrow('Interrupted');
		expect(modes).toEqual([true, false]);
	});
});
