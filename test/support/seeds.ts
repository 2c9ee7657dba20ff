import { createHash } from 'node:crypto';

/** Of the whole run; `jest.config.js` draws and prints it when the environment does not set it. */
const runSeed = process.env['ENMESHED_TEST_SEED'] ?? '1';

/** How sandboxes behave where a test does not say it: as servers do, unless the environment says kind. */
export const testBehaviour: 'kind' | 'real' =
	process.env['ENMESHED_TEST_BEHAVIOUR'] === 'kind' ? 'kind' : 'real';

let opened = 0;

/** Differs for each sandbox of a test file, and is the same with the same seed of the run. */
export function newSeed(): number {
	// Benchmarks and scripts use networks outside of jest.
	const { testPath = '' } = typeof expect === 'undefined' ? {} : expect.getState();
	const file = testPath.split(/[/\\]/).at(-1);
	const digest = createHash('sha256').update(`${runSeed}|${file}|${++opened}`).digest();
	return digest.readUInt32BE(0);
}
