import type { AuditLogEntry, RelationshipStatus } from '../../model/record/relationship';

export type RelationshipAction =
	| 'accept'
	| 'reject'
	| 'revoke'
	| 'terminate'
	| 'requestReactivation'
	| 'acceptReactivation'
	| 'rejectReactivation'
	| 'revokeReactivation'
	| 'decompose';

/** What leaves a relationship behind in another state. */
export type StatusAction = Exclude<RelationshipAction, 'decompose'>;

/** Who must have written the newest audit entry for the action to be ours to take. */
export type LastActor = 'peer' | 'us' | 'anyone';

export interface Transition {
	readonly from: readonly RelationshipStatus[];
	readonly lastActor: LastActor;
	/** whether the newest entry must be, or must not be, an open reactivation request */
	readonly openReactivation: 'required' | 'refused' | 'ignored';
	/** after `decompose`: what the peer sees, for we have nothing left */
	readonly to: RelationshipStatus;
	readonly reason: AuditLogEntry['reason'];
}

/** The rows of docs/protocol/transport.md 6.2; what is not a row is refused. */
export const relationshipTransitions = {
	accept: {
		from: ['Pending'],
		lastActor: 'peer',
		openReactivation: 'ignored',
		to: 'Active',
		reason: 'AcceptanceOfCreation',
	},
	reject: {
		from: ['Pending'],
		lastActor: 'peer',
		openReactivation: 'ignored',
		to: 'Rejected',
		reason: 'RejectionOfCreation',
	},
	revoke: {
		from: ['Pending'],
		lastActor: 'us',
		openReactivation: 'ignored',
		to: 'Revoked',
		reason: 'RevocationOfCreation',
	},
	terminate: {
		from: ['Active'],
		lastActor: 'anyone',
		openReactivation: 'ignored',
		to: 'Terminated',
		reason: 'Termination',
	},
	requestReactivation: {
		from: ['Terminated'],
		lastActor: 'anyone',
		openReactivation: 'refused',
		to: 'Terminated',
		reason: 'ReactivationRequested',
	},
	acceptReactivation: {
		from: ['Terminated'],
		lastActor: 'peer',
		openReactivation: 'required',
		to: 'Active',
		reason: 'AcceptanceOfReactivation',
	},
	rejectReactivation: {
		from: ['Terminated'],
		lastActor: 'peer',
		openReactivation: 'required',
		to: 'Terminated',
		reason: 'RejectionOfReactivation',
	},
	revokeReactivation: {
		from: ['Terminated'],
		lastActor: 'us',
		openReactivation: 'required',
		to: 'Terminated',
		reason: 'RevocationOfReactivation',
	},
	decompose: {
		from: ['Terminated', 'DeletionProposed'],
		lastActor: 'anyone',
		openReactivation: 'ignored',
		to: 'DeletionProposed',
		reason: 'Decomposition',
	},
} as const satisfies Record<RelationshipAction, Transition>;
