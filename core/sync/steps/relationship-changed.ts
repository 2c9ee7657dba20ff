import { isAlreadyDecomposed } from '../../domain/relationship/relationship-decomposition';
import type { Step } from './index';

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
			const fetched = await services.relationships.fetch(payload.relationshipId, options);
			return async (tx) => {
				await services.relationships.receive(tx, fetched, announcement);
				return { relationshipId: fetched.wire.id };
			};
		} catch (error) {
			if (!isAlreadyDecomposed(error)) throw error;
			return () => Promise.resolve({});
		}
	};
}
