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

/** Key beside the database file of an account without a passphrase (docs/adr/0005). */
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
	 * Reads the key or creates it. Called only under the database's write lock, so that no other
	 * process creates one at the same time. A key left by a killed creation is reused. A new key is
	 * written to another file and renamed, so that the key file is either complete or absent.
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

/** Syncs a folder. Otherwise a power failure may lose a file that was itself synced. */
export function syncFolder(folder: string): void {
	// Windows has no handles for folders.
	if (process.platform === 'win32') return;
	const handle = openSync(folder, 'r');
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}
