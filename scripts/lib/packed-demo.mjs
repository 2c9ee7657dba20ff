import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

import { projectRoot, scratchPath } from './paths.mjs';
import { runInherited, runQuietly } from './process.mjs';
import { npmCommand } from './toolchain.mjs';

/** Packed package of the last build, under a name without its version. */
const packedFile = scratchPath('n8n-nodes-enmeshed.tgz');

/** Packs the build and starts the demo from the packed file, as `npx` does after publication. */
export async function runPackedDemo(rest) {
	mkdirSync(scratchPath(), { recursive: true });
	const folder = mkdtempSync(scratchPath('demo-'));
	try {
		await packInto(folder);
		// Relative, because GNU tar takes the drive letter of a Windows path for a host.
		await runQuietly('tar', ['-xzf', relative(folder, packedFile)], { cwd: folder });
		console.log(`Packed as ${packedFile}.`);
		const program = join(folder, 'package', 'dist', 'cli.js');
		// A later --examples replaces this one.
		const examples = ['--examples', scratchPath('enmeshed-examples.json')];
		return await runInherited(process.execPath, [program, 'demo', ...examples, ...rest]);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function packInto(folder) {
	// This task has built already, which the scripts of `npm pack` would repeat.
	const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
	const [command, words] = npmCommand(pack);
	await runQuietly(command, words, { cwd: projectRoot });
	const [packed] = readdirSync(folder);
	renameSync(join(folder, packed), packedFile);
}
