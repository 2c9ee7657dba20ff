import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { storeErrors } from '../store-errors';

/** Removes access by other users of the machine to a file with names, messages and keys. */
export function keepPrivate(path: string, mode = 0o600): void {
	if (process.platform === 'win32' || !existsSync(path)) return;
	if ((statSync(path).mode & 0o077) === 0) return;
	try {
		chmodSync(path, mode);
	} catch (cause) {
		throw storeErrors.create('notWritable', {
			message: `'${path}' is readable for others, and its mode cannot be changed.`,
			cause,
		});
	}
}

/**
 * Creates the folder if necessary and makes it private.
 *
 * @param isOurs false for a folder that a person chose: it may serve other purposes, so its mode
 * stays
 * @throws `error.gateway.store.notWritable`
 */
export function prepareFolder(folder: string, isOurs: boolean): void {
	try {
		makeFolder(folder);
	} catch (cause) {
		throw storeErrors.create('notWritable', {
			message: `The folder '${folder}' cannot be created.`,
			cause,
		});
	}
	if (isOurs) keepPrivate(folder, 0o700);
}

/**
 * Creates a folder with its parents. `recursive` of Node never ends where the parent exists and the
 * system still says that something does not, as below `/proc` and some mounts.
 */
function makeFolder(folder: string): void {
	if (existsSync(folder) && statSync(folder).isDirectory()) return;
	const parent = dirname(folder);
	if (!existsSync(parent) && parent !== folder) makeFolder(parent);
	try {
		mkdirSync(folder, { mode: 0o700 });
	} catch (error) {
		// Another process may have created it meanwhile.
		if (!existsSync(folder) || !statSync(folder).isDirectory()) throw error;
	}
}
