import type { RelationshipRow } from './records';
import type { SandboxState } from './sandbox-state';

/**
 * Anonymises the messages of a relationship that both parties have decomposed: a pseudonym replaces
 * the recipient, and the sender once no recipient is left (docs/protocol/backbone-api.md 15.2).
 * Unread messages no longer count against the sender.
 */
export function anonymiseMessages(
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
