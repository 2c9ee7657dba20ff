/** State of `npm start`: where it is kept, and which process uses it. */
import { claim, holderOf } from '../install/claims.mjs';
import { scratchPath } from './paths.mjs';

/**
 * State folder, ignored by git and kept, so that the next start finds the same identities and
 * workflows.
 */
export const demoFolder = scratchPath('start');

/**
 * Marks the folder as used by this process.
 *
 * @throws Error if a running process uses the folder
 */
export async function claimDemo(folder) {
	const claimed = await claim(folder);
	if (claimed !== undefined) return claimed;
	throw new Error(describeRunning((await holderOf(folder)) ?? {}));
}

/** Addresses of the demo that runs on this folder, empty while it starts; undefined without one. */
export const runningDemo = holderOf;

/** What a second start tells a person. */
export function describeRunning(addresses) {
	const lines = Object.entries(addresses).map(([name, url]) => `  ${name.padEnd(18)}${url}`);
	const where = lines.length === 0 ? ['It is still starting.'] : lines;
	return ['The demo of this checkout is running already.', ...where, 'Ctrl-C there stops it.'].join(
		'\n',
	);
}
