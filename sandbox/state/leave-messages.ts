import type { RelationshipRow } from './records';
import type { SandboxState } from './sandbox-state';

/**
 * Both sides have decomposed: a pseudonym takes the place of the recipient in their messages, and
 * that of the sender when no recipient is left (docs/protocol/backbone-api.md 15.2). What was never
 * read does not count against a sender any more.
 */
export function leaveMessages(
	relationship: RelationshipRow,
	state: SandboxState,
	pseudonym: string,
): void {
	for (const message of state.messagesIn(relationship)) {
		const { createdBy, recipients } = message;
		const entry = recipients.find(({ relationshipId }) => relationshipId === relationship.id);
		if (entry === undefined) continue;
		if (entry.receivedAt === null) state.countUnreceived(createdBy, entry.address, -1);
		state.forgetMessage(entry.address, message);
		entry.address = pseudonym;
		if (recipients.every(({ address }) => address === pseudonym)) {
			state.forgetMessage(createdBy, message);
			message.createdBy = pseudonym;
		}
		state.messages.save(message);
	}
}
