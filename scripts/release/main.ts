import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../docs/source-files';
import { auditPackages } from './audit-packages';
import { bundledPackages } from './bundled-packages';
import { releaseProblems } from './release-problems';

/**
 * `npm run release:check [-- v1.2.3]` and `npm run audit:bundled`, which docs/releasing.md
 * explains.
 */
const [command, argument] = process.argv.slice(2);

async function run(): Promise<void> {
	if (command === 'check') checkRelease(argument ?? tagOfWorkflow());
	else await auditBundled();
}

/** The tag for which GitHub runs a workflow. */
function tagOfWorkflow(): string | undefined {
	return process.env.GITHUB_REF_TYPE === 'tag' ? process.env.GITHUB_REF_NAME : undefined;
}

function checkRelease(tag: string | undefined): void {
	const npm = /^npm\/(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1];
	const { version, problems } = releaseProblems(projectRoot, { tag, npm });
	for (const problem of problems) console.error(`- ${problem}`);
	if (problems.length > 0) {
		console.error(`Version ${version} cannot be published: see docs/releasing.md.`);
		process.exitCode = 1;
	} else if (tag === undefined) {
		console.log(`Version ${version} can be tagged: git tag v${version}`);
	} else {
		console.log(`Tag ${tag} can be published.`);
	}
}

async function auditBundled(): Promise<void> {
	const texts = readFileSync(join(projectRoot, 'dist', 'THIRD_PARTY_LICENSES'), 'utf8');
	const packages = bundledPackages(texts);
	const advisories = await auditPackages(packages);
	for (const { name, severity, title, url } of advisories) {
		console.error(`- ${name}: ${severity}: ${title} (${url})`);
	}
	const severe = advisories.filter(({ severity }) => severity !== 'low' && severity !== 'info');
	console.log(
		`${packages.length} bundled packages, ${advisories.length} advisories, ` +
			`${severe.length} of them moderate or worse.`,
	);
	if (severe.length > 0) process.exitCode = 1;
}

run().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
