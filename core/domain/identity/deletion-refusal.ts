import type { Cancellable } from '../../base/abort';
import { codeOf, type GatewayError } from '../../base/errors';
import type { DeletionProcessRecord } from '../../model/record/deletion-process';
import type { IdentityDeletionService } from './identity-deletion';
import { identityErrors } from './identity-errors';

/** Whether a sync was refused because the identity is gone for good. */
export function isIdentityDeleted(error: unknown): boolean {
	return codeOf(error) === identityErrors.deleted.code;
}

/**
 * Whether a sync run was refused because the identity is about to be deleted. That is a state and no
 * failure, except right after the deletion was cancelled: {@link isStillRefused}.
 */
export function isToBeDeleted(error: unknown): boolean {
	return codeOf(error) === identityErrors.toBeDeleted.code;
}

/** Whether the Backbone has not noticed yet that the deletion was cancelled. */
export function isStillRefused(error: unknown): boolean {
	return isToBeDeleted(error) && (error as { kind?: unknown }).kind === 'unavailable';
}

/**
 * Brings the deletion processes in line with the refusal of a sync, and answers the error that says what
 * state that is; any other error as it is.
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
		// The refusal says the same without the details.
		return toBeDeleted(await deletion.ending(options), error);
	}
	const process = await deletion.ending(options);
	if (process !== undefined) return toBeDeleted(process, error);
	return identityErrors.create('stillRefused', {
		message: 'The Backbone has not noticed yet that the deletion of the identity was cancelled.',
		cause: error,
	});
}

/** Why nothing is synced because of this process. */
export function pauseOf(process: DeletionProcessRecord): { code: string; message: string } {
	const { code, message } =
		process.status === 'Deleted'
			? identityErrors.create('deleted', {
					message: 'The identity of this account was deleted at the Backbone.',
				})
			: toBeDeleted(process);
	return { code, message };
}

function toBeDeleted(process: DeletionProcessRecord | undefined, cause?: unknown): GatewayError {
	const { id, gracePeriodEndsAt } = process ?? {};
	const when = gracePeriodEndsAt === undefined ? '' : ` at ${gracePeriodEndsAt}`;
	return identityErrors.create('toBeDeleted', {
		message: `This identity is to be deleted${when}; until then nothing is synced or sent.`,
		facts: {
			...(id === undefined ? {} : { deletionProcessId: id }),
			...(gracePeriodEndsAt === undefined ? {} : { gracePeriodEndsAt }),
		},
		cause,
	});
}
