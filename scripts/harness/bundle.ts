import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** Bundles a program, so that its process contains no code but its own. Returns its file. */
export function bundleProgram(entry: string, outdir: string): string {
	buildSync({
		entryPoints: {
			program: entry,
			// Older Node versions run the key derivation of a passphrase in a separate worker file.
			'password-hash-worker': join(__dirname, '../../core/crypto/password-hash-worker.mts'),
		},
		bundle: true,
		format: 'cjs',
		logLevel: 'error',
		outdir,
		packages: 'external',
		platform: 'node',
		target: 'node22.19',
	});
	return join(outdir, 'program.js');
}
