import { closeSync, openSync } from 'node:fs';
import type { GatewayError } from '../../base/errors';
import { storeErrors } from '../store-errors';
import { errorCodeOf, memberOf } from '../../base/members';

/** Error codes for the limit of open files of the process or of the whole machine. */
const limitCodes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
/** SQLITE_CANTOPEN, which does not contain the reason. */
const cannotOpen = 14;

/**
 * Runs work that opens files and reports the limit of open files as such: otherwise each place that
 * opens a file would misinterpret the failure.
 *
 * @throws `error.gateway.store.tooManyOpenFiles`
 */
export async function namingFileLimit<Result>(work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw asFileLimit(error) ?? error;
	}
}

/**
 * Returns the coded error for a failure caused by the limit of open files; undefined for other
 * failures. Each place reports the limit as a different failure, so the causes are examined as
 * well.
 */
export function asFileLimit(error: unknown): GatewayError | undefined {
	for (let failure = error; failure !== undefined; failure = memberOf(failure, 'cause')) {
		const errcode = memberOf(failure, 'errcode');
		const isUnclear = typeof errcode === 'number' && (errcode & 0xff) === cannotOpen;
		if (limitCodes.has(errorCodeOf(failure)) || (isUnclear && isLimitReached()))
			return tooManyOpenFiles(error);
	}
	return undefined;
}

/** Tries to open a file that certainly exists. */
function isLimitReached(): boolean {
	try {
		closeSync(openSync(process.execPath, 'r'));
		return false;
	} catch (error) {
		return limitCodes.has(errorCodeOf(error));
	}
}

function tooManyOpenFiles(cause: unknown): GatewayError {
	return storeErrors.create('tooManyOpenFiles', {
		message: 'This process may not open any more files.',
		cause,
	});
}
