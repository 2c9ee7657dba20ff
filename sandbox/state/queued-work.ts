import type { ExternalEvents } from './external-events';
import { anonymiseMessages } from './anonymise-messages';
import type { QueuedTask } from './queued-task';
import type { RelationshipRow } from './records';
import type { SandboxState } from './sandbox-state';

/**
 * Executes queued work. A change of limits needs nothing beyond the wait itself, nor does a
 * relationship that has been removed in the meantime.
 */
export function executeTask(
	task: QueuedTask,
	state: SandboxState,
	events: ExternalEvents,
	pseudonym: string,
): void {
	if (task.kind === 'event') return events.deliver(task);
	if (task.kind === 'announce') return events.sendPushSignal(task.owner);
	if (task.kind === 'change-tier' || task.kind === 'release-quota') return;
	const relationship = state.relationships.get(task.relationshipId);
	if (relationship === undefined) return;
	if (task.kind === 'release') events.release(relationship, task.how);
	else depart(relationship, task.party, state, events, pseudonym);
}

/** Hides the messages from the party that decomposed; once both have, pseudonyms replace them. */
export function depart(
	relationship: RelationshipRow,
	party: string,
	state: SandboxState,
	events: ExternalEvents,
	pseudonym: string,
): void {
	if (relationship.departed.includes(party)) return;
	relationship.departed.push(party);
	state.relationships.save(relationship);
	events.dropFor(party, relationship);
	if (relationship.departed.length === 2) anonymiseMessages(relationship, state, pseudonym);
}
