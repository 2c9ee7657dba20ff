import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { releaseProblems } from '../../../scripts/release/release-problems';

/* `npm run release:check` */
describe('a version', () => {
	let folder: string;

	const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
	const git = (...words: string[]): unknown => execFileSync('git', words, { cwd: folder });

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-release-'));
		write('package.json', '{ "version": "1.2.0" }');
		write('package-lock.json', '{ "version": "1.2.0" }');
		write(
			'CHANGELOG.md',
			'# Changelog\n\n## 1.2.0 (2026-11-30)\n\n- New.\n\n## 1.1.0 (2026-10-01)\n',
		);
		write('README.md', 'Install it from npm.\n');
		git('init', '--quiet');
		commit();
	});

	afterEach(() => rmSync(folder, { recursive: true }));

	function commit(): void {
		git('add', '.');
		const author = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.com'];
		git(...author, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message=State');
	}

	const problemsBefore = (): string[] =>
		releaseProblems(folder, { tag: undefined, npm: '10.9.0' }).problems;
	const problemsOf = (tag: string, npm = '11.5.1'): string[] =>
		releaseProblems(folder, { tag, npm }).problems;

	it('can be tagged, and the tag be published', () => {
		expect(problemsBefore()).toEqual([]);
		expect(problemsOf('v1.2.0')).toEqual([]);
		expect(problemsOf('v1.2.0', '11.12.0')).toEqual([]);
	});

	it('is published under its own tag only, and by an npm that needs no token', () => {
		expect(problemsOf('v1.3.0')).toEqual([
			"The tag is 'v1.3.0', and package.json has version '1.2.0'.",
		]);
		expect(problemsOf('v1.2.0', '11.5.0')).toEqual([
			'This is npm 11.5.0; publishing from a workflow needs npm 11.5.1 or later.',
		]);
	});

	it.each([
		['Preliminary', 'package.json', '{ "version": "1.2.0-beta.1" }', /only versions such as/],
		['Only half raised', 'package-lock.json', '{ "version": "1.1.0" }', /^package-lock\.json has/],
		['Unreleased', 'CHANGELOG.md', '# Changelog\n\n## 1.2.0 (unreleased)\n', /begins with/],
		['Not in the changelog', 'CHANGELOG.md', '## 1.1.0 (2026-10-01)\n', /begins with '1\.1\.0/],
		['Not in the README', 'README.md', 'It is not published yet.\n', /^README\.md/],
	])('is refused: %s', (_, file, text, problem) => {
		write(file, text);
		commit();
		expect(problemsBefore()).toContainEqual(expect.stringMatching(problem));
	});

	it('is refused while files are not committed', () => {
		write('new.txt', '');
		expect(problemsBefore()).toEqual(['These files are not committed:\n?? new.txt']);
	});
});
