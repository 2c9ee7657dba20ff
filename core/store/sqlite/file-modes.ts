import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
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
		mkdirSync(folder, { recursive: true, mode: 0o700 });
	} catch (cause) {
		throw storeErrors.create('notWritable', {
			message: `The folder '${folder}' cannot be created.`,
			cause,
		});
	}
	if (isOurs) keepPrivate(folder, 0o700);
}
