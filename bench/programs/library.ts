import { createRequire } from 'node:module';

type Library = typeof import('../../core');

const [, , path = ''] = process.argv;

/**
 * Loads the built library on first use, like programs and nodes. Its path is the program's
 * argument.
 */
export function loadLibrary(): Library {
	return createRequire(path)(path) as Library;
}
