import type { GatewayError } from '../../base/errors';
import { isGatewayError } from '../../base/errors';
import { storeErrors } from '../store-errors';
import { asFileLimit } from './file-limit';
import { memberOf } from '../../base/members';

const primaryCode = (error: unknown): number | undefined => {
	const code = memberOf(error, 'errcode');
	return typeof code === 'number' ? code & 0xff : undefined;
};

/** Detects SQLITE_BUSY and its extended codes: another process holds the lock. */
export function isBusy(error: unknown): boolean {
	return primaryCode(error) === 5;
}

/** Detects SQLITE_NOTADB: the file does not begin like a database. */
export function isNoDatabase(error: unknown): boolean {
	return primaryCode(error) === 26;
}

/**
 * Meanings of file failures for a person; other errors are programming errors and stay unchanged.
 */
const meanings: Readonly<Record<number, (cause: unknown) => GatewayError>> = {
	5: (cause) => storeErrors.create('busy', { message: 'The store is locked elsewhere.', cause }),
	8: (cause) =>
		storeErrors.create('notWritable', { message: 'The database file is read-only.', cause }),
	10: (cause) =>
		storeErrors.create('ioFailed', { message: 'The disk failed to read or write.', cause }),
	11: (cause) =>
		storeErrors.create('damagedFile', { message: 'The database file is damaged.', cause }),
	13: (cause) => storeErrors.create('ioFailed', { message: 'The disk is full.', cause }),
	14: (cause) =>
		asFileLimit(cause) ??
		storeErrors.create('notWritable', { message: 'The database file cannot be opened.', cause }),
	26: (cause) =>
		storeErrors.create('damagedFile', { message: 'The file is not a database any more.', cause }),
};

export function asStoreError(error: unknown): unknown {
	if (isGatewayError(error)) return error;
	const meaning = meanings[primaryCode(error) ?? 0];
	return meaning === undefined ? error : meaning(error);
}
