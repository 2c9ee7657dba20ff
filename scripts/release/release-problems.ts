import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** First version of npm that publishes from a workflow without a token. */
const oldestNpm = '11.5.1';

interface Release {
	/** Tag to publish; undefined before there is one. */
	readonly tag: string | undefined;
	/** Version of the npm that publishes. */
	readonly npm: string | undefined;
}

interface Manifest {
	readonly version: string;
}

/** Reasons against publishing what is in a folder, as sentences. */
export function releaseProblems(
	folder: string,
	{ tag, npm }: Release,
): { readonly version: string; readonly problems: string[] } {
	const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
	const { version } = JSON.parse(read('package.json')) as Manifest;
	const lock = JSON.parse(read('package-lock.json')) as Manifest;
	const newest = /^## (.+)$/m.exec(read('CHANGELOG.md'))?.[1] ?? '';
	const changes = execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' });
	const conditions: readonly (readonly [holds: boolean, problem: string])[] = [
		[
			/^\d+\.\d+\.\d+$/.test(version),
			`package.json has version '${version}'; npm offers only versions such as 1.2.3 to everybody.`,
		],
		[
			lock.version === version,
			`package-lock.json has version '${lock.version}': run 'npm install --package-lock-only'.`,
		],
		[
			newest.startsWith(`${version} (`) && /\(\d{4}-\d{2}-\d{2}\)$/.test(newest),
			`CHANGELOG.md begins with '${newest}' instead of '${version} (<year>-<month>-<day>)'.`,
		],
		[
			!/not published yet/i.test(read('README.md')),
			"README.md, which is published too, says 'not published yet': delete that sentence.",
		],
		[changes === '', `These files are not committed:\n${changes.trimEnd()}`],
		[
			tag === undefined || tag === `v${version}`,
			`The tag is '${tag}', and package.json has version '${version}'.`,
		],
		[
			tag === undefined || (npm !== undefined && compareVersions(npm, oldestNpm) >= 0),
			`This is npm ${npm}; publishing from a workflow needs npm ${oldestNpm} or later.`,
		],
	];
	const problems = conditions.flatMap(([holds, problem]) => (holds ? [] : [problem]));
	return { version, problems };
}

function compareVersions(one: string, other: string): number {
	return one.localeCompare(other, 'en', { numeric: true });
}
