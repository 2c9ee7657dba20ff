import type { Cancellable } from '../../base/abort';
import { codeOf, type GatewayError } from '../../base/errors';
import type { DeletionProcessRecord } from '../../model/record/deletion-process';
import type { IdentityDeletionService } from './identity-deletion';
import { identityErrors, toBeDeleted } from './identity-errors';

/** The Backbone's client throws it for every call. */
const identityDeleted = 'error.gateway.identity.deleted';

/** Checks whether the Backbone refused a sync because the identity is deleted permanently. */
export function isIdentityDeleted(error: unknown): boolean {
	return codeOf(error) === identityDeleted;
}

/**
 * Checks whether the Backbone refused a sync run because the identity is about to be deleted. This
 * is a state and not a failure, except right after the deletion was cancelled: {@link
 * isStillRefused}.
 */
export function isToBeDeleted(error: unknown): error is GatewayError {
	return codeOf(error) === identityErrors.toBeDeleted.code;
}

/**
 * Checks whether the Backbone still refuses syncs because it has not processed the cancellation
 * yet.
 */
export function isStillRefused(error: unknown): boolean {
	return isToBeDeleted(error) && error.kind === 'unavailable';
}

/**
 * Updates the deletion processes after a refused sync and returns the error that describes their
 * state; other errors are returned unchanged.
 */
export async function explainRefusal(
	deletion: IdentityDeletionService,
	error: unknown,
	options: Cancellable,
): Promise<unknown> {
	if (isIdentityDeleted(error)) {
		await deletion.conclude(options);
		return error;
	}
	if (!isToBeDeleted(error)) return error;
	try {
		await deletion.refresh(options);
	} catch (reason) {
		if (isIdentityDeleted(reason)) return await explainRefusal(deletion, reason, options);
		// The refusal has the same meaning, without the details.
		return toBeDeleted(await deletion.ending(options), error);
	}
	const process = await deletion.ending(options);
	if (process !== undefined) return toBeDeleted(process, error);
	return identityErrors.create('stillRefused', {
		message: 'The Backbone has not noticed yet that the deletion of the identity was cancelled.',
		cause: error,
	});
}

/** Explains why this process suspends syncing. */
export function pauseOf(process: DeletionProcessRecord): { code: string; message: string } {
	if (process.status === 'Deleted') {
		const message = 'The identity of this account was deleted at the Backbone.';
		return { code: identityDeleted, message };
	}
	const { code, message } = toBeDeleted(process);
	return { code, message };
}
