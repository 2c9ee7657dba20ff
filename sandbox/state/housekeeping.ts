import type { SandboxState } from './sandbox-state';

/** how long the server keeps what is over */
const keptMs = 30 * 24 * 3_600_000;

/**
 * Removes what has been over for 30 days, as the server's housekeeping does (docs/protocol/backbone-api.md
 * 20). Deletion processes are looked after by the job that deletes identities.
 */
export function removeWhatIsOver(state: SandboxState): void {
	const until = state.now() - keptMs;
	const isOver = (date: string | null | undefined): boolean =>
		date != null && Date.parse(date) < until;
	removeRelationships(state, isOver);
	const used = new Set(
		[...state.relationships.values()].map(({ relationshipTemplateId }) => relationshipTemplateId),
	);
	for (const template of [...state.templates.values()]) {
		if (isOver(template.expiresAt) && !used.has(template.id)) state.removeTemplate(template);
	}
	for (const token of [...state.tokens.values()]) {
		if (isOver(token.expiresAt)) state.removeToken(token);
	}
	for (const file of [...state.files.values()]) {
		if (isOver(file.expiresAt)) state.removeFile(file);
	}
	removeFrom(state.challenges, ({ expiresAt }) => isOver(expiresAt));
	removeFrom(state.announcements, ({ expiresAt }) => isOver(expiresAt));
	removeFrom(state.runs, ({ finalized, createdAt }) => finalized && isOver(createdAt));
	for (const owner of [...state.modificationsOf.keys()]) removeSuperseded(state, owner, isOver);
}

/** Modifications of the datawallet that a newer one of the same part of the same object replaces. */
function removeSuperseded(
	state: SandboxState,
	owner: string,
	isOver: (date: string) => boolean,
): void {
	const newest = new Set<string>();
	const kept = (state.modificationsOf.get(owner) ?? []).toReversed().filter((row) => {
		const key = JSON.stringify([row.objectIdentifier, row.type, row.payloadCategory]);
		const isSuperseded = newest.has(key);
		newest.add(key);
		if (!isSuperseded || !isOver(row.createdAt)) return true;
		state.modifications.delete(row.id);
		return false;
	});
	state.modificationsOf.set(owner, kept.reverse());
}

/** Both sides have left it: only then nobody can see it any more. */
function removeRelationships(
	state: SandboxState,
	isOver: (date: string | undefined) => boolean,
): void {
	for (const relationship of [...state.relationships.values()]) {
		const { status, auditLog } = relationship;
		if (status !== 'ReadyForDeletion' || !isOver(auditLog.at(-1)?.createdAt)) continue;
		state.removeRelationship(relationship);
	}
}

function removeFrom<Row>(rows: Map<string, Row>, isOver: (row: Row) => boolean): void {
	for (const [id, row] of [...rows]) if (isOver(row)) rows.delete(id);
}
