import { pseudonymOf } from '../address';
import type { SandboxSettings } from '../settings';
import type { ExternalEvents } from './external-events';
import { depart } from './queued-work';
import type { IdentityRow, RelationshipRow } from './records';
import type { SandboxState } from './sandbox-state';

/**
 * Deletes an identity: decomposes its relationships, deletes its objects, and replaces its address
 * by a pseudonym where others share the data (docs/protocol/backbone-api.md 9.2).
 */
export function eraseIdentity(
	identity: IdentityRow,
	state: SandboxState,
	events: ExternalEvents,
	{ hostname, majorVersion }: Pick<SandboxSettings, 'hostname' | 'majorVersion'>,
): void {
	const { address } = identity;
	const pseudonym = pseudonymOf(hostname);
	for (const relationship of [...(state.relationshipsOf.get(address) ?? [])]) {
		decompose(relationship, address, state, events, pseudonym);
		anonymiseRelationship(relationship, address, pseudonym, state);
	}
	for (const message of state.messagesOf.get(address) ?? []) {
		if (message.createdBy === address) message.createdBy = pseudonym;
		for (const recipient of message.recipients) {
			if (recipient.address === address) recipient.address = pseudonym;
		}
		state.messages.save(message);
	}
	eraseObjects(address, pseudonym, state);
	eraseFiles(address, pseudonym, state, majorVersion);
	eraseAccount(address, state);
	delete identity.datawalletVersion;
}

function decompose(
	relationship: RelationshipRow,
	address: string,
	state: SandboxState,
	events: ExternalEvents,
	pseudonym: string,
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
	depart(relationship, address, state, events, pseudonym);
}

function anonymiseRelationship(
	relationship: RelationshipRow,
	address: string,
	pseudonym: string,
	state: SandboxState,
): void {
	for (const entry of relationship.auditLog) {
		if (entry.createdBy !== address) continue;
		entry.createdBy = pseudonym;
		entry.createdByDevice = null;
	}
	state.renameParty(relationship, address, pseudonym);
}

/** Objects that were meant for this identity remain, without a recipient. */
function eraseObjects(address: string, pseudonym: string, state: SandboxState): void {
	for (const template of [...(state.templatesOf.get(address) ?? [])])
		state.removeTemplate(template);
	for (const token of [...(state.tokensOf.get(address) ?? [])]) state.removeToken(token);
	for (const table of [state.templates, state.tokens]) {
		for (const row of table.values()) {
			const isReader = row.allocations.includes(address);
			if (row.forIdentity !== address && !isReader) continue;
			if (row.forIdentity === address) row.forIdentity = pseudonym;
			if (isReader) row.allocations = row.allocations.filter((reader) => reader !== address);
			table.set(row.id, row as never);
		}
	}
}

/** Deletes its files: the files that it created, on later Backbones the files that it owns. */
function eraseFiles(
	address: string,
	pseudonym: string,
	state: SandboxState,
	majorVersion: 6 | 7,
): void {
	for (const file of [...state.files.values()]) {
		const holder = majorVersion === 6 ? file.createdBy : file.owner;
		if (holder === address) {
			state.removeFile(file);
			continue;
		}
		if (file.createdBy !== address && file.owner !== address) continue;
		if (file.createdBy === address) file.createdBy = pseudonym;
		if (file.owner === address) file.owner = pseudonym;
		state.files.save(file);
	}
}

function eraseAccount(address: string, state: SandboxState): void {
	for (const device of [...(state.devicesOf.get(address) ?? [])]) {
		state.removeDevice(device);
		state.deletedUsernames.set(device.username.toLowerCase(), state.timestamp());
	}
	for (const run of [...state.runs.values()]) {
		if (run.owner === address) state.runs.delete(run.id);
	}
	for (const { id } of state.openEvents.get(address) ?? []) state.events.delete(id);
	for (const { id } of state.modificationsOf.get(address) ?? []) state.modifications.delete(id);
	for (const [key, quota] of [...state.quotas]) {
		if (quota.address === address) state.quotas.delete(key);
	}
	state.openRun.delete(address);
	state.openEvents.delete(address);
	state.modificationsOf.delete(address);
	state.relationshipsOf.delete(address);
	state.messagesOf.delete(address);
	state.templatesOf.delete(address);
	state.tokensOf.delete(address);
	state.filesOf.delete(address);
	state.identities.delete(address);
}
