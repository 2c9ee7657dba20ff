import { ownText } from '../../../core/model/json';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { testProgram } from '../../support/quick/test-program';

jest.setTimeout(120_000);

/* `npx n8n-nodes-enmeshed account problems|retry|discard` */
const scratch = mkdtempSync(join(tmpdir(), 'enmeshed-problems-'));
const program = testProgram('scripts/cli/cli.ts');
const secrets = { ENMESHED_CLIENT_ID: 'test', ENMESHED_CLIENT_SECRET: 'test' };
let network: SandboxNetwork;

beforeAll(async () => {
	network = await SandboxNetwork.open();
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
function run(folder: string, words: readonly string[]): Promise<Ended> {
	const place = ['--from', `sqlite:${folder}`, '--backbone', network.backbone.baseUrl];
	return new Promise((resolve) => {
		const env = { PATH: process.env.PATH, HOME: scratch, ...secrets };
		const child = execFile(
			process.execPath,
			[program, 'account', ...words, ...place],
			{ env, cwd: scratch },
			(error, out, said) => {
				resolve({ code: error === null ? 0 : Number(error.code), out, said });
			},
		);
		child.stdin?.end();
	});
}

const resultOf = ({ out }: Ended): Record<string, unknown> =>
	JSON.parse(out) as Record<string, unknown>;

describe('the command account', () => {
	it('lists problems and solves them, while the account is in use elsewhere', async () => {
		const folder = network.newFolder();
		const gateway = await network.gateway(network.config(folder));
		const peer = await network.gateway();
		const { addressB } = await relate(gateway, peer);
		await gateway.messages.send(mailTo(addressB, 'before'));
		expect(await run(folder, ['retry', '--all'])).toMatchObject({
			code: 0,
			out: 'There is no problem.\n',
		});
		const cut = { kind: 'cutAfter' } as const;
		network.backbone.faults.add({ method: 'POST', path: /Messages/, action: cut });
		await expect(gateway.messages.send(mailTo(addressB, 'lost'))).rejects.toThrow();

		const plain = await run(folder, ['problems']);
		expect(plain).toMatchObject({ code: 0, said: '' });
		expect(plain.out).toMatch(
			/^SND\w+ {2}Mail may not have been sent, since .*\n {4}error\.gateway\.messages\.outcomeUnknown: /,
		);
		const { problems } = resultOf(await run(folder, ['problems', '--json']));
		expect(problems).toMatchObject([{ kind: 'sending', recipients: [addressB] }]);
		const [{ id }] = problems as [{ id: string }];
		const retried = await run(folder, ['retry', id, '--json']);
		expect(retried).toMatchObject({ code: 0 });
		expect(resultOf(retried)).toEqual({
			ok: true,
			retried: [{ id, kind: 'sending', outcome: 'solved' }],
		});
		expect((await run(folder, ['problems'])).out).toBe('There is no problem.\n');
		await settle(peer);
		const subjects = (await peer.messages.list()).map(({ content }) => ownText(content, 'subject'));
		expect(subjects).toEqual(['before', 'lost']);
	});

	it('refuses to retry what it does not know, with code and remedy', async () => {
		const folder = network.newFolder();
		await network.gateway(network.config(folder));
		const plain = await run(folder, ['retry', 'SND1']);
		expect(plain).toMatchObject({ code: 1, out: '' });
		expect(plain.said).toContain('error.gateway.problems.unknown');
		const json = await run(folder, ['retry', 'SND1', '--json']);
		expect(resultOf(json)).toMatchObject({
			ok: false,
			error: { code: 'error.gateway.problems.unknown' },
		});
	});

	it('gives up what it is told to, and says what becomes of it', async () => {
		const folder = network.newFolder();
		const gateway = await network.gateway(network.config(folder));
		const { addressB } = await relate(gateway, await network.gateway());
		await gateway.messages.send(mailTo(addressB, 'before'));
		expect(await run(folder, ['discard', '--all'])).toMatchObject({
			code: 0,
			out: 'There is no problem that can be discarded.\n',
		});
		const cut = { kind: 'cutBefore' } as const;
		network.backbone.faults.add({ method: 'POST', path: /Messages/, action: cut });
		await expect(gateway.messages.send(mailTo(addressB, 'lost'))).rejects.toThrow();
		const [problem] = await gateway.problems.list();
		const id = problem?.id ?? '';
		expect((await run(folder, ['discard', '--all', '--kind', 'delivery'])).out).toContain(
			'no problem that can be',
		);
		const discarded = await run(folder, ['discard', id]);
		expect(discarded).toMatchObject({ code: 0, said: '' });
		expect(discarded.out).toMatch(
			/^SND\w+ {2}Mail may not have been sent, since .*: is no longer sent/,
		);
		expect(resultOf(await run(folder, ['discard', '--all', '--json']))).toEqual({
			ok: true,
			discarded: [{ ...problem, outcome: 'waiting' }],
		});
	});

	it.each([
		[['retry']],
		[['retry', 'SND1', '--all']],
		[['discard']],
		[['discard', '--consumer', 'webhook:crm']],
		[['discard', 'SND1', '--all']],
		[['problems', '--serve']],
		[['problems', '--config', 'config.json']],
	])('says how %j is to be used', async (words) => {
		expect(await run(network.newFolder(), words)).toMatchObject({ code: 2, out: '' });
	});

	it.each([[['problems']], [['retry', '--all']], [['discard', '--all']]])(
		'says at %j that there is no account, and leaves the place as it is',
		async (words) => {
			const folder = network.newFolder();
			const ended = await run(folder, words);
			expect(ended).toMatchObject({ code: 1, out: '' });
			expect(ended.said).toContain('error.transport.general.noIdentityFound: There is no account');
			expect(readdirSync(folder)).toEqual([]);
			const elsewhere = join(folder, 'not', 'there');
			expect((await run(elsewhere, words)).code).toBe(1);
			expect(readdirSync(folder)).toEqual([]);
		},
	);
});
