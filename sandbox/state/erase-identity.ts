import { deletedIdentityPseudonyms } from '../../core/model/address';
import type { ExternalEvents } from './external-events';
import type { IdentityRow, RelationshipRow } from './records';
import type { SandboxState } from './sandbox-state';

/**
 * The end of an identity: its relationships are decomposed, its objects deleted, and a pseudonym
 * takes its place in everything that belongs to others, too (docs/protocol/backbone-api.md 9.2).
 */
export function eraseIdentity(
	{ address }: IdentityRow,
	state: SandboxState,
	events: ExternalEvents,
	hostname: string,
): void {
	const pseudonym = deletedIdentityPseudonyms(hostname).backbone;
	for (const relationship of state.relationshipsOf.get(address) ?? []) {
		decompose(relationship, address, state, events);
		anonymiseRelationship(relationship, address, pseudonym);
	}
	for (const message of state.messagesOf.get(address) ?? []) {
		if (message.createdBy === address) message.createdBy = pseudonym;
		for (const recipient of message.recipients) {
			if (recipient.address === address) recipient.address = pseudonym;
		}
	}
	eraseObjects(address, pseudonym, state);
	eraseAccount(address, state);
}

function decompose(
	relationship: RelationshipRow,
	address: string,
	state: SandboxState,
	events: ExternalEvents,
): void {
	if (relationship.decomposedBy.includes(address)) return;
	const oldStatus = relationship.status;
	relationship.status = oldStatus === 'DeletionProposed' ? 'ReadyForDeletion' : 'DeletionProposed';
	relationship.decomposedBy.push(address);
	state.addAuditEntry(relationship, {
		createdBy: address,
		createdByDevice: null,
		reason: 'DecompositionDueToIdentityDeletion',
		oldStatus,
		newStatus: relationship.status,
	});
	if (relationship.status === 'DeletionProposed') {
		events.relationshipChanged(relationship, address, 'RelationshipStatusChanged');
	}
}

function anonymiseRelationship(
	relationship: RelationshipRow,
	address: string,
	pseudonym: string,
): void {
	if (relationship.from === address) relationship.from = pseudonym;
	if (relationship.to === address) relationship.to = pseudonym;
	for (const entry of relationship.auditLog) {
		if (entry.createdBy !== address) continue;
		entry.createdBy = pseudonym;
		entry.createdByDevice = null;
	}
}

/** What others were given for this identity stays, addressed to nobody. */
function eraseObjects(address: string, pseudonym: string, state: SandboxState): void {
	for (const table of [state.templates, state.tokens]) {
		for (const row of table.values()) {
			if (row.createdBy === address) table.delete(row.id);
			if (row.forIdentity === address) row.forIdentity = pseudonym;
			row.allocations = row.allocations.filter((reader) => reader !== address);
		}
	}
	for (const file of state.files.values()) {
		if (file.createdBy === address) state.files.delete(file.id);
		if (file.owner === address) file.owner = pseudonym;
	}
}

function eraseAccount(address: string, state: SandboxState): void {
	for (const device of [...state.devices.values()]) {
		if (device.address !== address) continue;
		state.removeDevice(device);
		state.deletedUsernames.set(device.username.toLowerCase(), state.timestamp());
	}
	for (const run of [...state.runs.values()]) {
		if (run.owner === address) state.runs.delete(run.id);
	}
	state.openRun.delete(address);
	state.openEvents.delete(address);
	state.relationshipsOf.delete(address);
	state.messagesOf.delete(address);
	state.identities.delete(address);
}
