import { codeOf } from '../../base/errors';
import type { Step } from './index';

/** Support, or a job of the server, acted on the deletion of our own identity (transport 14). */
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
		// Cancelled more than 30 days ago, and forgotten by the Backbone.
		if (codeOf(error) !== 'error.runtime.recordNotFound') throw error;
		return () => Promise.resolve({});
	}
};
