import { ownMember } from '../helpers/members';

/** True if the gateway has no such object. */
export function isNotFound(error: unknown): boolean {
	return ownMember(error, 'code') === 'error.runtime.recordNotFound';
}
