import {
	accessSync,
	chmodSync,
	constants,
	mkdtempSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const inMemory = '/dev/shm';

const neededBytes = 4 * 1024 ** 3;

/**
 * The environment in which tests keep their temporary files in memory, where Linux has room for
 * them there. The tests commit thousands of times and kill processes, but no test cuts the power,
 * so waiting for a disk adds time and no certainty.
 */
export function temporaryFolder() {
	if (process.env.TMPDIR !== undefined) return {};
	try {
		const { bavail, bsize } = statfsSync(inMemory);
		return bavail * bsize >= neededBytes && runsPrograms(inMemory) ? { TMPDIR: inMemory } : {};
	} catch {
		return {};
	}
}

/**
 * Containers often forbid running programs from memory, but the browser of the tests is unpacked
 * below the temporary folder.
 */
function runsPrograms(folder) {
	const scratch = mkdtempSync(join(folder, 'enmeshed-tests-'));
	const file = join(scratch, 'program');
	try {
		writeFileSync(file, '#!/bin/sh\n');
		chmodSync(file, 0o700);
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	} finally {
		rmSync(scratch, { recursive: true });
	}
}
