import type { SandboxState } from './sandbox-state';

/** retention of expired and deleted objects */
const keptMs = 30 * 24 * 3_600_000;

/**
 * Removes objects that expired or were deleted 30 days ago, as the server's housekeeping does
 * (docs/protocol/backbone-api.md 20). Deletion processes are handled by the job that deletes
 * identities.
 */
export function removeExpired(state: SandboxState): void {
	const until = state.now() - keptMs;
	const isExpired = (date: string | null | undefined): boolean =>
		date != null && Date.parse(date) < until;
	removeRelationships(state, isExpired);
	const used = new Set(
		[...state.relationships.values()].map(({ relationshipTemplateId }) => relationshipTemplateId),
	);
	for (const template of [...state.templates.values()]) {
		if (isExpired(template.expiresAt) && !used.has(template.id)) state.removeTemplate(template);
	}
	for (const token of [...state.tokens.values()]) {
		if (isExpired(token.expiresAt)) state.removeToken(token);
	}
	for (const file of [...state.files.values()]) {
		if (isExpired(file.expiresAt)) state.removeFile(file);
	}
	removeFrom(state.challenges, ({ expiresAt }) => isExpired(expiresAt));
	removeFrom(state.announcements, ({ expiresAt }) => isExpired(expiresAt));
	removeFrom(state.runs, ({ finalized, createdAt }) => finalized && isExpired(createdAt));
	for (const owner of [...state.modificationsOf.keys()]) removeSuperseded(state, owner, isExpired);
}

/**
 * Removes modifications of the datawallet that a newer one of the same part of the same object
 * supersedes.
 */
function removeSuperseded(
	state: SandboxState,
	owner: string,
	isExpired: (date: string) => boolean,
): void {
	const newest = new Set<string>();
	const kept = (state.modificationsOf.get(owner) ?? []).toReversed().filter((row) => {
		const key = JSON.stringify([row.objectIdentifier, row.type, row.payloadCategory]);
		const isSuperseded = newest.has(key);
		newest.add(key);
		if (!isSuperseded || !isExpired(row.createdAt)) return true;
		state.modifications.delete(row.id);
		return false;
	});
	state.modificationsOf.set(owner, kept.reverse());
}

/** Removes relationships that both parties have decomposed, so that neither sees them. */
function removeRelationships(
	state: SandboxState,
	isExpired: (date: string | undefined) => boolean,
): void {
	for (const relationship of [...state.relationships.values()]) {
		const { status, auditLog } = relationship;
		if (status !== 'ReadyForDeletion' || !isExpired(auditLog.at(-1)?.createdAt)) continue;
		state.removeRelationship(relationship);
	}
}

function removeFrom<Row>(rows: Map<string, Row>, isExpired: (row: Row) => boolean): void {
	for (const [id, row] of [...rows]) if (isExpired(row)) rows.delete(id);
}
