import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The file of the password worker: beside the bundle in a distribution, beside this source in a
 * checkout. The build bundles `password-hash-worker.mts` to `password-hash-worker.js` in the folder of
 * every bundle that contains this function.
 */
export function passwordHashWorkerPath(folder: string = __dirname): string {
	const bundled = join(folder, 'password-hash-worker.js');
	return existsSync(bundled) ? bundled : join(folder, 'password-hash-worker.mts');
}
