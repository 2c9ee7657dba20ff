import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testProgram } from '../../support/quick/test-program';

jest.setTimeout(120_000);

/* One behaviour for all commands: help, wrong use, and what the system refuses. */
const scratch = mkdtempSync(join(tmpdir(), 'enmeshed-usage-'));
const program = testProgram('scripts/cli/cli.ts');

afterAll(() => rmSync(scratch, { recursive: true }));

function run(...words: string[]) {
	const env = { PATH: process.env['PATH'], HOME: scratch };
	return spawnSync(process.execPath, [program, ...words], { cwd: scratch, env, encoding: 'utf8' });
}

const commands = ['demo', 'sandbox', 'serve', 'start', 'identity', 'identityDeletion', 'account'];

it.each(commands)('%s has help under both names, and 2 for wrong use', (command) => {
	for (const option of ['-h', '--help']) {
		const { status, stdout } = run(command, option);
		expect([status, stdout]).toEqual([0, expect.stringContaining('Usage')]);
	}
	const wrong = run(command, '--no-such-option');
	expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining("--help'")]);
});

it('the package itself has them too', () => {
	expect(run('-h').stdout).toBe(run('--help').stdout);
	expect(run('-h').stdout).toContain('reconcile');
	expect(run('-v').stdout).toBe(run('--version').stdout);
	expect(run('no-such-command').status).toBe(2);
	expect(run('identity', 'no-such-use').status).toBe(2);
});

it('a file that cannot be used is named in words', () => {
	const file = join(scratch, 'file');
	writeFileSync(file, '');
	const { status, stderr } = run('sandbox', '--state', join(file, 'state.json'));
	expect(status).toBe(1);
	expect(stderr).toMatch(/cannot be used: .*not a folder\.\n$/);
});
