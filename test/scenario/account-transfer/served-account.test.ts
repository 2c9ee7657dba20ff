import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { account } from '../../../scripts/cli/account';
import { TestNetwork } from '../../support/gateways';
import { testProgram } from '../../support/quick/test-program';
import { accountStateIn, placeIn } from './places';

jest.setTimeout(120_000);

/* Which account the commands act on: of n8n, of a named place, or of the HTTP gateway. */
const scratch = mkdtempSync(join(tmpdir(), 'enmeshed-served-account-'));
const n8nFolder = join(scratch, '.n8n', 'enmeshed');
const program = testProgram('scripts/cli/cli.ts');
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

function run(words: readonly string[]): Promise<Ended> {
	return new Promise((resolve) => {
		const env = {
			...{ PATH: process.env['PATH'], HOME: scratch, N8N_USER_FOLDER: scratch },
			ENMESHED_FILE_PASSWORD: 'a long enough password',
		};
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

/** Creates an account and closes it; its address. */
async function accountIn(folder: string): Promise<string> {
	const gateway = await network.gateway(network.config(folder));
	const { address } = await gateway.account.getIdentity();
	await gateway.close();
	return address;
}

/** Configures the HTTP gateway for an account in the folder. */
function configure(folder: string): void {
	const { backbone } = network.config(folder);
	const config = {
		transportLibrary: {
			baseUrl: backbone.baseUrl,
			platformClientId: backbone.clientId,
			platformClientSecret: backbone.clientSecret,
		},
		database: { folder },
		infrastructure: { httpServer: { apiKey: 'Tests-Have-The-Key-0123456789-abc!' } },
	};
	writeFileSync(join(scratch, 'config.json'), JSON.stringify(config));
}

describe.each([['--serve'], ['--config', 'config.json']])('with %s %s', (...served) => {
	const words = served.filter((word) => word !== undefined);
	let folder: string;
	let address: string;
	let n8nAddress: string;

	beforeEach(async () => {
		folder = network.newFolder();
		configure(folder);
		address = await accountIn(folder);
		n8nAddress = await accountIn(n8nFolder);
	});

	afterEach(() => rmSync(n8nFolder, { recursive: true, force: true }));

	it('export, verify and import act on the account of the HTTP gateway', async () => {
		const file = join(scratch, `${words.length}.enmeshed`);
		const exported = await run(['export', '--to', file, ...words]);
		expect([exported.code, exported.out]).toEqual([0, expect.stringContaining(address)]);
		const verified = await run(['verify', '--to', file, ...words]);
		expect([verified.code, verified.out]).toEqual([0, expect.stringContaining(address)]);
		rmSync(join(folder, 'default.sqlite'));
		const imported = await run(['import', '--from', file, ...words]);
		expect([imported.code, imported.out]).toEqual([0, expect.stringContaining(address)]);
		expect(await accountIn(folder)).toBe(address);
		expect(await accountIn(n8nFolder)).toBe(n8nAddress);
	});

	it('a move leaves the account of n8n where it is, and names address and places first', async () => {
		const other = network.newFolder();
		const moved = await run(['export', '--to', `sqlite:${other}`, '--json', ...words]);
		expect(moved.code).toBe(0);
		const [first] = moved.said.split('\n');
		expect(first).toBe(
			`Copying ${address} from sqlite:${folder} (account 'default') to sqlite:${other} (account 'default').`,
		);
		expect(await accountStateIn(placeIn(folder))).toMatchObject({ state: 'retired' });
		expect(await accountIn(n8nFolder)).toBe(n8nAddress);
	});
});

const optionWords = {
	'--from': ['--from', 'sqlite:/nowhere'],
	'--to': ['--to', 'sqlite:/nowhere'],
	'--account': ['--account', 'one'],
	'--to-account': ['--to-account', 'one'],
	'--offline': ['--offline'],
	'--backbone': ['--backbone', 'http://localhost:9'],
	'--serve': ['--serve'],
	'--config': ['--config', '/nowhere.json'],
	'--all': ['--all'],
	'--kind': ['--kind', 'wait'],
	'--consumer': ['--consumer', 'one'],
	'--retire': ['--retire'],
	'--replace-retired': ['--replace-retired'],
	'--full': ['--full'],
	'--json': ['--json'],
} as const;

/** Which options each command uses. */
const table: Readonly<Record<string, string>> = {
	export:
		'--from --to --account --to-account --offline --backbone --serve --config --retire --json',
	import:
		'--from --to --account --to-account --offline --backbone --serve --config --replace-retired --json',
	verify: '--from --to --account --to-account --offline --backbone --serve --config --json',
	problems: '--from --account --backbone --serve --config --kind --consumer --json',
	retry: '--from --account --backbone --serve --config --all --kind --consumer --json',
	discard: '--from --account --backbone --serve --config --all --kind --consumer --json',
	reconcile: '--from --account --backbone --serve --config --full --json',
};

describe.each(Object.entries(table))('account %s', (command, uses) => {
	let said = '';

	beforeEach(() => {
		said = '';
		for (const stream of [process.stdout, process.stderr]) {
			jest.spyOn(stream, 'write').mockImplementation((text) => {
				said += String(text);
				return true;
			});
		}
	});

	afterEach(() => jest.restoreAllMocks());

	/** Runs the command within this process, as far as it gets without an account. */
	const ended = async (words: readonly string[]): Promise<unknown> =>
		await account([command, ...words]).catch((error: unknown) => String(error));

	it.each(Object.entries(optionWords))('uses or refuses %s', async (option, words) => {
		const outcome = await ended(words);
		const isRefused = said.includes(`'account ${command}' does not take ${option}.`);
		expect(isRefused).toBe(!uses.split(' ').includes(option));
		if (isRefused) expect(outcome).toBe(2);
	});

	const end = command === 'import' ? '--to' : '--from';
	it.each(['--backbone', end] as const)('refuses %s beside --serve', async (option) => {
		const other = command === 'import' ? ['--from', 'a.enmeshed'] : [];
		expect(await ended(['--serve', ...optionWords[option], ...other])).toBe(2);
		expect(said).toContain(`already says what ${option} would say`);
	});
});
