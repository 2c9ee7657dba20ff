import type { Sandbox } from '../http/context';
import type { RelationshipRow } from '../state/records';

export interface BackboneTransition {
	readonly path: string;
	readonly reason: string;
	readonly needsQuota: boolean;
	readonly takesContent: boolean;
	/** stored and returned if a call has no content */
	readonly contentWhenAbsent: '' | null;
	/** last part of the error code, or undefined if allowed; checks in the Backbone's order */
	readonly refuse: (relationship: RelationshipRow, actor: string) => string | undefined;
	readonly to: (relationship: RelationshipRow, actor: string) => string;
	readonly after: (relationship: RelationshipRow, actor: string, sandbox: Sandbox) => void;
}

const wrongStatus = 'relationshipIsNotInCorrectStatus';
const openRequest = (row: RelationshipRow): string | undefined => {
	const last = row.auditLog.at(-1);
	return last?.reason === 'ReactivationRequested' ? last.createdBy : undefined;
};

const notifyPeer =
	(type: string) =>
	(row: RelationshipRow, actor: string, { events }: Sandbox): void =>
		events.relationshipChanged(row, actor, type);

const plain = { needsQuota: false, takesContent: false, contentWhenAbsent: null } as const;

/** Transition that answers a creation; checks the status first, then the actor. */
function answer(path: string, reason: string, to: string, byOwner: boolean): BackboneTransition {
	return {
		path,
		reason,
		needsQuota: path === 'accept',
		takesContent: true,
		contentWhenAbsent: path === 'accept' ? null : '',
		refuse: (row, actor) => {
			if (row.status !== 'Pending') return wrongStatus;
			if (byOwner && row.to !== actor) {
				return 'cannotAcceptOrRejectRelationshipAddressedToSomeoneElse';
			}
			return !byOwner && row.from !== actor
				? 'cannotRevokeRelationshipNotCreatedByYourself'
				: undefined;
		},
		to: () => to,
		after: (row, actor, sandbox) => {
			release(row, to === 'Active' ? 'unblock' : 'drop', sandbox);
			sandbox.events.relationshipChanged(row, actor, 'RelationshipStatusChanged');
		},
	};
}

/** Transition that answers a reactivation request. */
function answerReactivation(
	path: string,
	reason: string,
	to: string,
	code: string,
	byRequester: boolean,
): BackboneTransition {
	return {
		...plain,
		path: `reactivate/${path}`,
		reason,
		refuse: (row, actor) => {
			const requester = openRequest(row);
			return requester === undefined || (requester === actor) !== byRequester ? code : undefined;
		},
		to: () => to,
		after: (row, actor, sandbox) => {
			if (to === 'Active') release(row, 'unblock', sandbox);
			sandbox.events.relationshipChanged(row, actor, 'RelationshipReactivationCompleted');
		},
	};
}

function release(row: RelationshipRow, how: 'unblock' | 'drop', { queues }: Sandbox): void {
	queues.put([row.from, row.to], { kind: 'release', relationshipId: row.id, how });
}

/** Transitions of docs/protocol/backbone-api.md 14.5. */
export const transitions: readonly BackboneTransition[] = [
	answer('accept', 'AcceptanceOfCreation', 'Active', true),
	answer('reject', 'RejectionOfCreation', 'Rejected', true),
	answer('revoke', 'RevocationOfCreation', 'Revoked', false),
	{
		...plain,
		path: 'terminate',
		reason: 'Termination',
		refuse: (row) => (row.status === 'Active' ? undefined : wrongStatus),
		to: () => 'Terminated',
		after: notifyPeer('RelationshipStatusChanged'),
	},
	{
		...plain,
		path: 'reactivate',
		reason: 'ReactivationRequested',
		refuse: (row) => {
			if (openRequest(row) !== undefined) {
				return 'cannotRequestReactivationWhenThereIsAnOpenReactivationRequest';
			}
			return row.status === 'Terminated' ? undefined : wrongStatus;
		},
		to: () => 'Terminated',
		after: notifyPeer('RelationshipReactivationRequested'),
	},
	answerReactivation(
		'accept',
		'AcceptanceOfReactivation',
		'Active',
		'noAcceptableRelationshipReactivationRequestExists',
		false,
	),
	answerReactivation(
		'reject',
		'RejectionOfReactivation',
		'Terminated',
		'noRejectableReactivationRequestExists',
		false,
	),
	answerReactivation(
		'revoke',
		'RevocationOfReactivation',
		'Terminated',
		'noRevocableReactivationRequestExists',
		true,
	),
	{
		...plain,
		path: 'decompose',
		reason: 'Decomposition',
		refuse: (row, actor) => {
			if (row.decomposedBy.includes(actor)) return 'relationshipAlreadyDecomposed';
			const statuses = ['Rejected', 'Revoked', 'Terminated', 'DeletionProposed'];
			return statuses.includes(row.status) ? undefined : wrongStatus;
		},
		to: (row) => (row.status === 'DeletionProposed' ? 'ReadyForDeletion' : 'DeletionProposed'),
		after: (row, actor, sandbox) => {
			row.decomposedBy.push(actor);
			sandbox.queues.put([row.from, row.to], {
				kind: 'departure',
				relationshipId: row.id,
				party: actor,
			});
			if (row.status === 'DeletionProposed') {
				sandbox.events.relationshipChanged(row, actor, 'RelationshipStatusChanged');
			}
		},
	},
];
