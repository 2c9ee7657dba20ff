import { codeOf } from '../../base/errors';
import type { Step } from './index';

const decomposedByUs = 'error.platform.validation.relationship.relationshipAlreadyDecomposed';

/**
 * Reads the relationship's current state and applies it. The reactivation events announce
 * themselves before the general change (transport 14).
 */
export function relationshipChanged(
	announcement:
		| 'transport.relationshipReactivationRequested'
		| 'transport.relationshipReactivationCompleted'
		| undefined,
): Step<
	| 'RelationshipStatusChanged'
	| 'RelationshipReactivationRequested'
	| 'RelationshipReactivationCompleted'
> {
	return async ({ payload, services }, options) => {
		try {
			const relationship = await services.relationships.fetch(payload.relationshipId, options);
			return async (tx) => {
				await services.relationships.receive(tx, relationship, announcement);
				return { relationshipId: relationship.id };
			};
		} catch (error) {
			if (codeOf(error) !== decomposedByUs) throw error;
			return () => Promise.resolve({});
		}
	};
}
