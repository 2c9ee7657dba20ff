import {
	closeSync,
	existsSync,
	fsyncSync,
	openSync,
	readFileSync,
	renameSync,
	writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { alphanumeric, type Random } from '../../base/random';
import { generateKeyFile, storeKeyFromFile, type StoreKey } from '../../crypto/sealing';
import { storeErrors } from '../store-errors';
import { keepPrivate } from './file-modes';

/** The key beside the database file of an account that has no passphrase (docs/adr/0005). */
export class KeyFile {
	constructor(
		readonly path: string,
		private readonly random: Random,
	) {}

	/** @throws `error.gateway.store.keyFileMissing`, `error.gateway.store.wrongKeyFile` */
	read(): StoreKey {
		if (!existsSync(this.path)) {
			throw storeErrors.create('keyFileMissing', {
				message: `The key file '${this.path}' is missing: without it the secrets of this account are lost.`,
			});
		}
		keepPrivate(this.path);
		const content = readFileSync(this.path);
		try {
			return storeKeyFromFile(content);
		} catch (cause) {
			throw storeErrors.create('wrongKeyFile', {
				message: `The key file '${this.path}' holds ${content.length} bytes; a key has 32.`,
				cause,
			});
		}
	}

	/**
	 * Only called under the database's write lock, so nobody else creates one meanwhile. A key that a
	 * killed creation left behind is used. Written aside and renamed: it is whole or not there.
	 */
	readOrCreate(): StoreKey {
		if (existsSync(this.path)) return this.read();
		const draft = `${this.path}.${this.random.text(8, alphanumeric)}`;
		const handle = openSync(draft, 'wx', 0o600);
		try {
			writeSync(handle, generateKeyFile(this.random));
			fsyncSync(handle);
		} finally {
			closeSync(handle);
		}
		renameSync(draft, this.path);
		syncFolder(dirname(this.path));
		return this.read();
	}
}

/** Without it a power failure may forget a file that was synced. */
export function syncFolder(folder: string): void {
	// Windows has no handles of folders.
	if (process.platform === 'win32') return;
	const handle = openSync(folder, 'r');
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}
