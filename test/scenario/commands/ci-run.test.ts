import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const projectRoot = join(__dirname, '..', '..', '..');

/** What `npm test` and `npm run test:rest` print last, and their exit codes. */
type Ends = Readonly<Record<'test' | 'test:rest', readonly [line: string, code: number]>>;

/* `.ci/run` with other programs in the place of npm and of the installer of packages */
describe('the run of all tests', () => {
	const folder = mkdtempSync(join(tmpdir(), 'enmeshed-ci-'));
	afterAll(() => rmSync(folder, { recursive: true }));

	function run(ends: Ends): { code: number | null; last: string | undefined } {
		const cases = Object.entries(ends).map(
			([task, [line, code]]) => `${task}) echo "${line}"; exit ${code};;`,
		);
		const programs = { npm: `case "$2" in ${cases.join(' ')} esac`, 'apt-get': 'exit 0' };
		for (const [name, text] of Object.entries(programs)) {
			writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
			chmodSync(join(folder, name), 0o755);
		}
		const { status, stdout } = spawnSync('bash', ['.ci/run'], {
			cwd: projectRoot,
			encoding: 'utf8',
			env: {
				...process.env,
				PATH: [folder, process.env.PATH].join(delimiter),
				ENMESHED_TEST_POSTGRES: 'postgres://127.0.0.1/none',
			},
		});
		return { code: status, last: stdout.trimEnd().split('\n').at(-1) };
	}

	it('adds both parts', () => {
		const ends: Ends = {
			test: ['10 passed, 0 failed, 1 skipped', 0],
			'test:rest': ['5 passed, 0 failed, 2 skipped', 0],
		};
		expect(run(ends)).toEqual({ code: 0, last: '15 passed, 0 failed, 3 skipped' });
	});

	it('fails with a part that fails, and runs the other one', () => {
		const ends: Ends = {
			test: ['10 passed, 2 failed, 0 skipped', 1],
			'test:rest': ['5 passed, 0 failed, 0 skipped', 0],
		};
		expect(run(ends)).toEqual({ code: 1, last: '15 passed, 2 failed, 0 skipped' });
	});

	it('counts a part that ends without its sum as one failure', () => {
		const ends: Ends = {
			test: ['10 passed, 0 failed, 0 skipped', 0],
			'test:rest': ['npm was killed', 137],
		};
		expect(run(ends)).toEqual({ code: 1, last: '10 passed, 1 failed, 0 skipped' });
	});
});
