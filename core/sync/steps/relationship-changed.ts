import { isAlreadyDecomposed } from '../../domain/relationship/relationship-decomposition';
import type { Step } from './step';

/**
 * Reads the current state of the relationship and applies it. For a reactivation, its specific
 * event is published before the event of the general change (transport 14).
 */
export function relationshipChanged(
	reported:
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
				await services.relationships.receive(tx, fetched, reported);
				return { relationshipId: fetched.wire.id };
			};
		} catch (error) {
			if (!isAlreadyDecomposed(error)) throw error;
			return () => Promise.resolve({});
		}
	};
}
