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
	/** events in the order in which our own action publishes them */
	readonly events: readonly (
		| 'transport.relationshipChanged'
		| 'transport.relationshipReactivationRequested'
		| 'transport.relationshipReactivationCompleted'
		| 'transport.relationshipDecomposedBySelf'
	)[];
}

/** The rows of docs/protocol/transport.md 6.2; what is not a row is refused. */
export const relationshipTransitions = {
	accept: {
		from: ['Pending'],
		lastActor: 'peer',
		openReactivation: 'ignored',
		to: 'Active',
		reason: 'AcceptanceOfCreation',
		events: ['transport.relationshipChanged'],
	},
	reject: {
		from: ['Pending'],
		lastActor: 'peer',
		openReactivation: 'ignored',
		to: 'Rejected',
		reason: 'RejectionOfCreation',
		events: ['transport.relationshipChanged'],
	},
	revoke: {
		from: ['Pending'],
		lastActor: 'us',
		openReactivation: 'ignored',
		to: 'Revoked',
		reason: 'RevocationOfCreation',
		events: ['transport.relationshipChanged'],
	},
	terminate: {
		from: ['Active'],
		lastActor: 'anyone',
		openReactivation: 'ignored',
		to: 'Terminated',
		reason: 'Termination',
		events: ['transport.relationshipChanged'],
	},
	requestReactivation: {
		from: ['Terminated'],
		lastActor: 'anyone',
		openReactivation: 'refused',
		to: 'Terminated',
		reason: 'ReactivationRequested',
		events: ['transport.relationshipChanged', 'transport.relationshipReactivationRequested'],
	},
	acceptReactivation: {
		from: ['Terminated'],
		lastActor: 'peer',
		openReactivation: 'required',
		to: 'Active',
		reason: 'AcceptanceOfReactivation',
		events: ['transport.relationshipChanged', 'transport.relationshipReactivationCompleted'],
	},
	rejectReactivation: {
		from: ['Terminated'],
		lastActor: 'peer',
		openReactivation: 'required',
		to: 'Terminated',
		reason: 'RejectionOfReactivation',
		events: ['transport.relationshipChanged', 'transport.relationshipReactivationCompleted'],
	},
	revokeReactivation: {
		from: ['Terminated'],
		lastActor: 'us',
		openReactivation: 'required',
		to: 'Terminated',
		reason: 'RevocationOfReactivation',
		events: ['transport.relationshipChanged', 'transport.relationshipReactivationCompleted'],
	},
	decompose: {
		from: ['Terminated', 'DeletionProposed'],
		lastActor: 'anyone',
		openReactivation: 'ignored',
		to: 'DeletionProposed',
		reason: 'Decomposition',
		events: ['transport.relationshipDecomposedBySelf'],
	},
} as const satisfies Record<RelationshipAction, Transition>;
