import { closeSync, openSync } from 'node:fs';
import type { GatewayError } from '../../base/errors';
import { storeErrors } from '../store-errors';

/** What errors of Node and of SQLite have. */
interface Failure {
	readonly code?: unknown;
	readonly errcode?: unknown;
	readonly cause?: Failure;
}

/** The process, or the whole machine, has as many files open as it may. */
const limitCodes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
/** SQLITE_CANTOPEN, which does not say why */
const cannotOpen = 14;

/**
 * Each place that opens a file may meet the limit, and would take it for something else.
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
 * The coded error for what failed because no more files can be opened; undefined for other failures. The
 * limit shows in many places, in each as another failure, so the causes are looked at.
 */
export function asFileLimit(error: unknown): GatewayError | undefined {
	for (let failure = error as Failure | undefined; failure; failure = failure.cause) {
		const { code, errcode } = failure;
		const isUnclear = typeof errcode === 'number' && (errcode & 0xff) === cannotOpen;
		if (limitCodes.has(code) || (isUnclear && isLimitReached())) return tooManyOpenFiles(error);
	}
	return undefined;
}

/** Tries to open the one file that is certainly there. */
function isLimitReached(): boolean {
	try {
		closeSync(openSync(process.execPath, 'r'));
		return false;
	} catch (error) {
		return limitCodes.has((error as NodeJS.ErrnoException).code);
	}
}

function tooManyOpenFiles(cause: unknown): GatewayError {
	return storeErrors.create('tooManyOpenFiles', {
		message: 'This process may not open any more files.',
		cause,
	});
}
