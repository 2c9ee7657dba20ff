import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { storeErrors } from '../store-errors';

/** Others on this machine must not read names, messages and keys; wider modes are taken back. */
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
 * @param isOurs a folder that a person chose may serve other purposes: its mode is left alone
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
