import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminRoutes } from '../../../sandbox/admin';
import { testProgram } from '../../support/quick/test-program';

/* `npx n8n-nodes-enmeshed sandbox` */
const program = testProgram('scripts/cli/cli.ts');

function run(...words: readonly string[]): Promise<{ code: unknown; out: string; err: string }> {
	return new Promise((resolve) => {
		execFile(process.execPath, [program, ...words], (error, out, err) =>
			resolve({ code: error?.code ?? 0, out, err }),
		);
	});
}

describe('the command line', () => {
	it('tells the version of the package', async () => {
		const root = join(__dirname, '..', '..', '..');
		const manifest = readFileSync(join(root, 'package.json'), 'utf8');
		const { version } = JSON.parse(manifest) as { version: string };
		expect(await run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
	});
});

describe('the command line of the sandbox', () => {
	it('helps with its options and with every call of the administration', async () => {
		const { code, out } = await run('sandbox', '--help');
		expect(code).toBe(0);
		for (const option of ['--port', '--state', '--backbone', '--behaviour', '--seed'])
			expect(out).toContain(option);
		for (const { method, path, what } of adminRoutes) {
			expect(out).toContain(`${method} /admin/${path}`.replace(/\/$/, ''));
			expect(out).toContain(what);
		}
	});

	it.each([
		[['--port', 'x'], 2, 'from 0 to 65535'],
		[['--backbone', '8'], 2, '6 or 7'],
		[['--behaviour', 'strange'], 2, 'kind or real'],
		[['--seed', 'x'], 2, 'at most 10 digits'],
		[['--nonsense'], 2, '--nonsense'],
	])('refuses %j', async (words, code, said) => {
		const refused = await run('sandbox', ...words);
		expect(refused.code).toBe(code);
		expect(refused.err).toContain(said);
	});
});
