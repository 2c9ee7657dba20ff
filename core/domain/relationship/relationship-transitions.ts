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

/** Actions that leave a relationship in another state. */
export type StatusAction = Exclude<RelationshipAction, 'decompose'>;

/** Required author of the newest audit entry. */
export type LastActor = 'peer' | 'us' | 'anyone';

export interface Transition {
	readonly from: readonly RelationshipStatus[];
	readonly lastActor: LastActor;
	/** requirement that the newest entry is, or is not, an open reactivation request */
	readonly openReactivation: 'required' | 'refused' | 'ignored';
	/** new status; after `decompose` the peer's view, because this account keeps no relationship */
	readonly to: RelationshipStatus;
	readonly reason: AuditLogEntry['reason'];
}

/** Rows of docs/protocol/transport.md 6.2; any other action is refused. */
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
