import type { RelationshipRecord } from './record/relationship';

const states: Readonly<Record<RelationshipRecord['status'], string>> = {
	Pending: 'is not accepted yet',
	Active: 'is active',
	Rejected: 'was rejected',
	Revoked: 'was revoked',
	Terminated: 'was terminated',
	DeletionProposed: 'was removed by the peer',
};

/**
 * States in a message what has become of a relationship, for example 'The relationship with … was
 * terminated'.
 */
export function relationshipState({
	peer,
	status,
}: Pick<RelationshipRecord, 'peer' | 'status'>): string {
	return `The relationship with ${peer} ${states[status] ?? `is '${String(status)}'`}`;
}
