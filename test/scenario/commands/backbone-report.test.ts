import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportOf } from '../../../scripts/backbone-run/report';

/* What `npm run test:backbone` reports, whatever becomes of its tests. */

const root = join(__dirname, '..', '..', '..');
const files: Readonly<Record<string, string>> = {
	'a-circular': `
		it('passes', () => undefined);
		it('throws what refers to itself', () => {
			const error = new Error('it differs');
			error.itself = { error };
			throw error;
		});`,
	'b-left-out': `
		class NeedsSandbox extends Error { name = 'NeedsSandbox'; }
		let opened;
		beforeAll(() => { throw new NeedsSandbox('left out: needs the controls of the sandbox'); });
		afterAll(() => opened.close());
		it('is never played', () => undefined);`,
	'c-broken': `
		afterAll(() => { throw new Error('it does not close'); });
		it('passes, too', () => undefined);`,
	'd-killed': `it('ends everything', () => process.kill(process.pid, 'SIGKILL'));`,
};

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'enmeshed-report-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function play(...names: string[]) {
	for (const name of names) writeFileSync(join(folder, `${name}.test.js`), files[name] ?? '');
	const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const config = JSON.stringify({ rootDir: folder, testSequencer: join(folder, 'by-name.js') });
	writeFileSync(join(folder, 'by-name.js'), sequencer);
	const reporter = `--reporters=${join(root, 'scripts', 'tests', 'file-results.cjs')}`;
	const results = join(folder, 'results');
	spawnSync(process.execPath, [jest, reporter, '--runInBand', `--config=${config}`], {
		cwd: folder,
		env: { ...process.env, ENMESHED_TEST_RESULTS: results },
	});
	return reportOf(results, join(folder, 'notes'));
}

const sequencer = `
	const Sequencer = require(${JSON.stringify(join(root, 'node_modules', '@jest', 'test-sequencer'))}).default;
	module.exports = class extends Sequencer {
		sort(tests) { return [...tests].sort((a, b) => a.path.localeCompare(b.path)); }
	};`;

it('an error that refers to itself, and a file that is left out and closes what it never opened', () => {
	const { text, failures, ...sums } = play('a-circular', 'b-left-out', 'c-broken');
	expect(sums).toEqual({ passed: 2, failed: 2, leftOut: 1 });
	expect(failures).toEqual([
		{ name: 'throws what refers to itself', message: expect.stringContaining('it differs') },
		{
			name: expect.stringContaining('c-broken'),
			message: expect.stringContaining('it does not close'),
		},
	]);
	expect(text).toContain('is never played: needs the controls of the sandbox');
	expect(text).toMatch(/2 passed, 2 failed, 1 skipped$/);
});

it('what was played before the run was cut off, and that it was', () => {
	const { text, failures, passed } = play('a-circular', 'd-killed');
	expect(passed).toBe(1);
	expect(failures.map(({ name }) => name)).toEqual(['throws what refers to itself', 'the run']);
	expect(text).toContain('It was cut off');
});
