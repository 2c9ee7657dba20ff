import { codeOf } from '../../base/errors';
import type { Step } from './step';

/**
 * Applies an action of support, or of a server job, on the deletion of the own identity (transport
 * 14).
 */
export const deletionProcessChanged: Step<
	'IdentityDeletionProcessStarted' | 'IdentityDeletionProcessStatusChanged'
> = async ({ payload: { deletionProcessId: id }, services: { identityDeletion } }, options) => {
	try {
		const process = await identityDeletion.fetch(id, options);
		return async (tx) => {
			await identityDeletion.receive(tx, process);
			return { deletionProcessId: id };
		};
	} catch (error) {
		// The process was cancelled more than 30 days ago, and the Backbone has removed it.
		if (codeOf(error) !== 'error.runtime.recordNotFound') throw error;
		return () => Promise.resolve({});
	}
};
