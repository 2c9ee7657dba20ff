import { createRequire } from 'node:module';

type Library = typeof import('../../core');

const [, , path = ''] = process.argv;

/** The built library, as programs and nodes load it: on first use. Its path is our argument. */
export function loadLibrary(): Library {
	return createRequire(path)(path) as Library;
}
