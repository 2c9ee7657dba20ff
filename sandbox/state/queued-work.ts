import type { ExternalEvents } from './external-events';
import { leaveMessages } from './leave-messages';
import type { QueuedTask } from './queued-task';
import type { RelationshipRow } from './records';
import type { SandboxState } from './sandbox-state';

/** Does what the queues held back: limits change by no longer waiting, and a relationship that is gone meanwhile needs nothing more. */
export function carryOut(
	task: QueuedTask,
	state: SandboxState,
	events: ExternalEvents,
	pseudonym: string,
): void {
	if (task.kind === 'event') return events.deliver(task);
	if (task.kind === 'announce') return events.announce(task.owner);
	if (task.kind === 'change-tier' || task.kind === 'release-quota') return;
	const relationship = state.relationships.get(task.relationshipId);
	if (relationship === undefined) return;
	if (task.kind === 'release') events.release(relationship, task.how);
	else depart(relationship, task.party, state, events, pseudonym);
}

/** The party loses sight of the messages; when both have left, pseudonyms take their places. */
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
	if (relationship.departed.length === 2) leaveMessages(relationship, state, pseudonym);
}
