import { codeOf } from '../../../../core/base/errors';
import {
	decideAction,
	decideUpdate,
	eventsForNewAuditEntries,
	sortAuditLog,
} from '../../../../core/domain/relationship/relationship-rules';
import {
	relationshipTransitions,
	type RelationshipAction,
} from '../../../../core/domain/relationship/relationship-transitions';
import type { AuditLogEntry, RelationshipStatus } from '../../../../core/model/record/relationship';

/* docs/protocol/transport.md 6.2 */
const us = 'did:e:localhost:dids:us';
const peer = 'did:e:localhost:dids:peer';

const entry = (createdBy: string, reason: AuditLogEntry['reason'], minute = 0): AuditLogEntry => ({
	createdAt: `2030-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`,
	createdBy,
	createdByDevice: 'DVC1',
	reason,
	newStatus: 'Pending',
});

const relationship = (status: RelationshipStatus, last: AuditLogEntry) => ({
	id: 'REL1',
	peer,
	status,
	auditLog: [last],
});

type Situation = ReturnType<typeof relationship>;

const situations: Readonly<Record<string, Situation>> = {
	'pending, from the peer': relationship('Pending', entry(peer, 'Creation')),
	'pending, from us': relationship('Pending', entry(us, 'Creation')),
	active: relationship('Active', entry(us, 'AcceptanceOfCreation')),
	terminated: relationship('Terminated', entry(peer, 'Termination')),
	'terminated, the peer asks back': relationship(
		'Terminated',
		entry(peer, 'ReactivationRequested'),
	),
	'terminated, we ask back': relationship('Terminated', entry(us, 'ReactivationRequested')),
	rejected: relationship('Rejected', entry(peer, 'RejectionOfCreation')),
	revoked: relationship('Revoked', entry(us, 'RevocationOfCreation')),
	'left by the peer': relationship('DeletionProposed', entry(peer, 'Decomposition')),
	'left because the peer is gone': relationship(
		'DeletionProposed',
		entry(peer, 'DecompositionDueToIdentityDeletion'),
	),
};

const actions = Object.keys(relationshipTransitions) as RelationshipAction[];
const wrongStatus = 'wrongRelationshipStatus';
const onlyForPeer = 'operationOnlyAllowedForPeer';
const notRequested = 'reactivationNotRequested';

/** What is not named here is refused for the status. */
const outcomes: Readonly<Record<string, Partial<Record<RelationshipAction, string>>>> = {
	'pending, from the peer': { accept: 'Active', reject: 'Rejected', revoke: onlyForPeer },
	'pending, from us': { accept: onlyForPeer, reject: onlyForPeer, revoke: 'Revoked' },
	active: { terminate: 'Terminated' },
	terminated: {
		requestReactivation: 'Terminated',
		acceptReactivation: notRequested,
		rejectReactivation: notRequested,
		revokeReactivation: notRequested,
		decompose: 'DeletionProposed',
	},
	'terminated, the peer asks back': {
		requestReactivation: 'reactivationAlreadyRequested',
		acceptReactivation: 'Active',
		rejectReactivation: 'Terminated',
		revokeReactivation: onlyForPeer,
		decompose: 'DeletionProposed',
	},
	'terminated, we ask back': {
		requestReactivation: 'reactivationAlreadyRequested',
		acceptReactivation: onlyForPeer,
		rejectReactivation: onlyForPeer,
		revokeReactivation: 'Terminated',
		decompose: 'DeletionProposed',
	},
	'left by the peer': { decompose: 'DeletionProposed' },
	'left because the peer is gone': { decompose: 'DeletionProposed' },
};

const table = Object.entries(situations).flatMap(([name, situation]) =>
	actions.map((action) => ({
		name,
		situation,
		action,
		outcome: outcomes[name]?.[action] ?? wrongStatus,
	})),
);

describe('an action on a relationship', () => {
	it.each(table)('$action while it is $name: $outcome', ({ situation, action, outcome }) => {
		const decision = decideAction(action, situation);
		const seen = 'to' in decision ? decision.to : codeOf(decision)?.split('.').at(-1);
		expect(seen).toBe(outcome);
		if (decision instanceof Error) {
			expect(decision.facts).toMatchObject({ relationshipId: 'REL1', action });
			expect(decision.remedy).toMatch(/\w+ \w+/);
		}
	});
});

describe('a refused action', () => {
	it.each<[RelationshipAction, string]>([
		['accept', "accepted while it is 'Pending'"],
		['reject', "rejected while it is 'Pending'"],
		['revoke', "revoked while it is 'Pending'"],
		['terminate', "terminated while it is 'Active'"],
		['requestReactivation', "asked to be reactivated while it is 'Terminated'"],
		['acceptReactivation', "reactivated while it is 'Terminated'"],
		['rejectReactivation', "kept terminated while it is 'Terminated'"],
		['revokeReactivation', "kept terminated while it is 'Terminated'"],
		['decompose', "decomposed while it is 'Terminated' or 'DeletionProposed'"],
	])('says when it is possible: %s', (action, text) => {
		expect(decideAction(action, situations['rejected'] as Situation)).toMatchObject({
			message: `The relationship with did:e:localhost:dids:peer was rejected; it can only be ${text}.`,
		});
	});

	it('is so for its status only, when the Backbone shows no audit log', () => {
		const decision = (action: RelationshipAction, status: RelationshipStatus) =>
			decideAction(action, { id: 'REL1', peer, status, auditLog: [] });
		expect(decision('terminate', 'Active')).toMatchObject({ to: 'Terminated' });
		expect(decision('requestReactivation', 'Terminated')).toMatchObject({ to: 'Terminated' });
		expect(codeOf(decision('accept', 'Pending'))).toMatch(onlyForPeer);
	});
});

describe('the table of actions', () => {
	/* Written down a second time, from docs/protocol/transport.md 6.2 and 14.5 of backbone-api.md. */
	it('leads where the specification says, for its reason', () => {
		const rows = Object.entries(relationshipTransitions).map(([action, { from, to, reason }]) => [
			action,
			from.join(),
			to,
			reason,
		]);
		expect(rows).toEqual([
			['accept', 'Pending', 'Active', 'AcceptanceOfCreation'],
			['reject', 'Pending', 'Rejected', 'RejectionOfCreation'],
			['revoke', 'Pending', 'Revoked', 'RevocationOfCreation'],
			['terminate', 'Active', 'Terminated', 'Termination'],
			['requestReactivation', 'Terminated', 'Terminated', 'ReactivationRequested'],
			['acceptReactivation', 'Terminated', 'Active', 'AcceptanceOfReactivation'],
			['rejectReactivation', 'Terminated', 'Terminated', 'RejectionOfReactivation'],
			['revokeReactivation', 'Terminated', 'Terminated', 'RevocationOfReactivation'],
			['decompose', 'Terminated,DeletionProposed', 'DeletionProposed', 'Decomposition'],
		]);
	});

	it('tells who has asked for the reactivation when it is asked for again', () => {
		const refusalFor = (name: string): string => {
			const decision = decideAction('requestReactivation', situations[name] as Situation);
			return decision instanceof Error ? decision.message : '';
		};
		expect(refusalFor('terminated, the peer asks back')).toMatch(/^The peer has already/);
		expect(refusalFor('terminated, we ask back')).toMatch(/^We have already/);
	});
});

describe('the events of a change', () => {
	const changed = 'transport.relationshipChanged';
	const requested = 'transport.relationshipReactivationRequested';
	const completed = 'transport.relationshipReactivationCompleted';
	const log = (...reasons: Array<AuditLogEntry['reason']>) =>
		reasons.map((reason) => entry(peer, reason));

	it.each<[string, string[]]>([
		['Creation', [changed]],
		['AcceptanceOfCreation', [changed]],
		['Termination', [changed]],
		['ReactivationRequested', [changed, requested]],
		['AcceptanceOfReactivation', [changed, completed]],
		['RejectionOfReactivation', [changed, completed]],
		['RevocationOfReactivation', [changed, completed]],
		['Decomposition', [changed]],
	])('with the entry %s are %j', (reason, events) => {
		expect(eventsForNewAuditEntries(log('Creation', reason as AuditLogEntry['reason']), 1)).toEqual(
			events,
		);
	});

	it('begin with what an external event is about', () => {
		const auditLog = log('Termination', 'ReactivationRequested');
		expect(eventsForNewAuditEntries(auditLog, 1, requested)).toEqual([requested, changed]);
		// The event about the termination comes first and shows the newest state.
		expect(eventsForNewAuditEntries(auditLog, 0)).toEqual([changed, requested]);
	});

	it('tell every step that was not seen, each once', () => {
		const auditLog = log('ReactivationRequested', 'RevocationOfReactivation');
		expect(eventsForNewAuditEntries(auditLog, 0)).toEqual([changed, requested, completed]);
		expect(eventsForNewAuditEntries(auditLog, 0, requested)).toEqual([
			requested,
			changed,
			completed,
		]);
		expect(eventsForNewAuditEntries(auditLog, 1, completed)).toEqual([completed, changed]);
		expect(eventsForNewAuditEntries(auditLog, 2, completed)).toEqual([changed]);
	});
});

describe('what the Backbone shows of a relationship', () => {
	const stored = {
		status: 'Active' as const,
		auditLog: [entry(peer, 'Creation'), entry(us, 'AcceptanceOfCreation', 1)],
	};

	it('changes nothing when it is older than what is stored, or the same', () => {
		const older = { status: 'Pending' as const, auditLog: stored.auditLog.slice(0, 1) };
		expect(decideUpdate(stored, older)).toBe('unchanged');
		expect(decideUpdate(stored, { ...stored })).toBe('unchanged');
	});

	it('is news when it has another entry', () => {
		const newer = {
			status: 'Terminated' as const,
			auditLog: [...stored.auditLog, entry(peer, 'Termination', 2)],
		};
		expect(decideUpdate(stored, newer)).toBe('changed');
		expect(decideUpdate(stored, { ...newer, status: stored.status })).toBe('changed');
	});

	it('is news when it has another status with the same entries', () => {
		expect(decideUpdate(stored, { ...stored, status: 'Terminated' })).toBe('changed');
	});

	it('is put in order of time, whatever order it came in', () => {
		const [first, second] = stored.auditLog;
		if (first === undefined || second === undefined) throw new Error('Two entries are needed');
		expect(sortAuditLog([second, first])).toEqual([first, second]);
	});
});
