import { isAddress } from '../address';
import { invalid, invalidProperty, notFound } from '../http/backbone-error';
import { maxContentBytes, requireId } from '../http/body';
import { created, ok, type Call, type Route, type Sandbox } from '../http/context';
import { byCreation, idsOf, paged } from '../http/paging';
import type { RelationshipRow } from '../state/records';
import { transitions } from './relationship-transitions';
import { allocate, isVisible } from './templates';

const blocking = ['Pending', 'Active', 'Terminated', 'DeletionProposed'];

/** @see docs/protocol/backbone-api.md 14 */
export const relationshipRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: 'relationships/cancreate',
		handle: (call, { state }) => {
			const { identity } = call.caller();
			const peer = call.query.get('peer') ?? '';
			if (!isAddress(peer)) throw invalidProperty('The peer is not a valid address.');
			const other = state.identities.get(peer);
			if (other === undefined) throw notFound('Identity');
			const code =
				other.status !== 'Active'
					? 'peerIsToBeDeleted'
					: isBlocked(state, identity.address, peer)
						? 'relationshipToTargetAlreadyExists'
						: undefined;
			return ok({
				canCreate: code === undefined,
				code: code === undefined ? null : `error.platform.validation.relationship.${code}`,
			});
		},
	},
	{
		method: 'POST',
		path: 'relationships',
		handle: async (call, sandbox) => {
			const { state, events, quotas } = sandbox;
			const caller = call.caller();
			quotas.require(caller.identity, 'NumberOfRelationships');
			const from = caller.identity.address;
			const body = call.json();
			const template = state.templates.get(requireId('RLT', body.text('relationshipTemplateId')));
			const content = body.optionalBytes('creationContent', 0, maxContentBytes) ?? null;
			if (template === undefined || !isVisible(template, from, undefined, sandbox)) {
				throw notFound('RelationshipTemplate');
			}
			await allocate(template, from, sandbox);
			const to = template.createdBy;
			if (state.identities.get(to)?.status !== 'Active') throw refuse('peerIsToBeDeleted');
			if (isBlocked(state, from, to)) throw refuse('relationshipToTargetAlreadyExists');
			if (from === to) throw refuse('cannotCreateRelationshipWithYourself');
			const relationship: RelationshipRow = {
				id: state.newId('REL'),
				relationshipTemplateId: state.templates.has(template.id) ? template.id : null,
				from,
				to,
				createdAt: state.timestamp(),
				status: 'Pending',
				auditLog: [],
				creationContent: content,
				creationResponseContent: null,
				decomposedBy: [],
				departed: [],
			};
			state.addAuditEntry(relationship, {
				createdBy: from,
				createdByDevice: caller.device.id,
				reason: 'Creation',
				oldStatus: null,
				newStatus: 'Pending',
			});
			state.addRelationship(relationship);
			events.relationshipChanged(relationship, from, 'RelationshipStatusChanged');
			return created(metadata(relationship));
		},
	},
	{
		method: 'GET',
		path: 'relationships/{}',
		handle: (call, sandbox) => {
			const relationship = find(call, sandbox);
			if (relationship.decomposedBy.includes(call.caller().identity.address)) {
				throw refuse('relationshipAlreadyDecomposed');
			}
			return ok(full(relationship));
		},
	},
	{
		method: 'GET',
		path: 'relationships',
		handle: (call, { state }) => {
			const { address } = call.caller().identity;
			const ids = idsOf(call.query, 'REL');
			if (ids.length === 0) throw invalidProperty('At least one ID is needed.');
			const rows = ids
				.map((id) => state.relationships.get(id))
				.filter((row) => row !== undefined && (row.from === address || row.to === address))
				.map((row) => row as RelationshipRow)
				.sort(byCreation);
			return paged(rows, call.query, full);
		},
	},
	...transitions.map((transition): Route => ({
		method: 'PUT',
		path: `relationships/{}/${transition.path}`,
		handle: (call, sandbox) => {
			const { state, quotas } = sandbox;
			const relationship = find(call, sandbox);
			const caller = call.caller();
			if (transition.needsQuota) quotas.require(caller.identity, 'NumberOfRelationships');
			const actor = caller.identity.address;
			const refusal = transition.refuse(relationship, actor);
			if (refusal !== undefined) throw refuse(refusal);
			if (transition.takesContent) {
				relationship.creationResponseContent =
					call.json().optionalBytes('creationResponseContent', 0, maxContentBytes) ??
					transition.contentWhenAbsent;
			}
			const before = relationship.status;
			relationship.status = transition.to(relationship, actor);
			state.addAuditEntry(relationship, {
				createdBy: actor,
				createdByDevice: caller.device.id,
				reason: transition.reason,
				oldStatus: before,
				newStatus: relationship.status,
			});
			transition.after(relationship, actor, sandbox);
			state.relationships.save(relationship);
			return ok(metadata(relationship));
		},
	})),
];

function isBlocked(state: Sandbox['state'], a: string, b: string): boolean {
	return state.relationshipsBetween(a, b).some(({ status }) => blocking.includes(status));
}

function find(call: Call, { state }: Sandbox): RelationshipRow {
	const { address } = call.caller().identity;
	const relationship = state.relationships.get(requireId('REL', call.parameters[0]));
	const isParty = relationship?.from === address || relationship?.to === address;
	if (relationship === undefined || !isParty) throw notFound('Relationship');
	return relationship;
}

export function metadata(relationship: RelationshipRow): object {
	const { id, relationshipTemplateId, from, to, createdAt, status, auditLog } = relationship;
	return { id, relationshipTemplateId, from, to, createdAt, status, auditLog };
}

function full(relationship: RelationshipRow): object {
	const { decomposedBy: _decomposedBy, departed: _departed, ...rest } = relationship;
	return rest;
}

function refuse(code: string): Error {
	return invalid(`relationship.${code}`);
}
