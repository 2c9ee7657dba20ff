import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const sources = join(__dirname, '..', 'programs');

/** Bundles the programs, so that their processes contain no code but their own. */
export async function bundlePrograms(outdir: string): Promise<void> {
	await build({
		entryPoints: readdirSync(sources).map((file) => join(sources, file)),
		bundle: true,
		format: 'cjs',
		logLevel: 'warning',
		outdir,
		outExtension: { '.js': '.cjs' },
		packages: 'external',
		platform: 'node',
		target: 'node22.19',
	});
}
