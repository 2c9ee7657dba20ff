import type { GatewayError } from '../../base/errors';
import type { MessageContent } from '../../model/content/message-content';
import type { RelationshipRecord } from '../../model/record/relationship';
import { relationshipState } from '../../model/relationship-state';
import { versionIn } from '../peer-version';
import { messageErrors } from './message-errors';
import { invalidInput } from '../input-errors';

/** Current relationship with each address (docs/protocol/transport.md 6.2). */
export type RelationshipsByPeer = ReadonlyMap<string, RelationshipRecord>;

/**
 * Requires active relationships and peers that keep their identity (docs/protocol/transport.md
 * 7.2). Notifications may also go through terminated relationships and to peers with a planned
 * deletion, as long as these can read them.
 */
export function checkRecipients(
	content: MessageContent,
	recipients: readonly string[],
	relationships: RelationshipsByPeer,
): GatewayError | undefined {
	const isNotification = content['@type'] === 'Notification';
	const statuses = isNotification ? ['Active', 'Terminated'] : ['Active'];
	const unreachable = recipients.filter(
		(address) => !statuses.includes(relationships.get(address)?.status ?? ''),
	);
	if (unreachable.length > 0) {
		return messageErrors.create('missingOrInactiveRelationship', {
			message: `${noActiveRelationship(unreachable, relationships)}.`,
			facts: { addresses: unreachable },
		});
	}
	const leaving = withDeletionStatus(recipients, relationships, 'ToBeDeleted');
	if (leaving.length > 0 && !isNotification) {
		return messageErrors.create('peerIsInDeletion', {
			message: `These peers are deleting their identity: ${leaving.join(', ')}.`,
			facts: { addresses: leaving },
		});
	}
	const gone = withDeletionStatus(recipients, relationships, 'Deleted');
	if (gone.length > 0) {
		return messageErrors.create('peerIsDeleted', {
			message: `These peers have deleted their identity: ${gone.join(', ')}.`,
			facts: { addresses: gone },
		});
	}
	return undefined;
}

/**
 * Names the recipients whose wallets may show the Markdown of a mail as plain text; undefined if
 * all wallets are known to show it (docs/protocol/generation-7.md 2).
 */
export function formatHint(
	content: MessageContent,
	relationships: RelationshipsByPeer,
): string | undefined {
	if (content['@type'] !== 'Mail' || content.bodyFormat !== 'Markdown') return undefined;
	const doubtful = [...relationships]
		.filter(([, record]) => (versionIn(record) ?? 6) < 7.1)
		.map(([address]) => address);
	if (doubtful.length === 0) return undefined;
	return `Wallets before version 7.1 show Markdown as plain text, and these recipients have or may have one: ${doubtful.join(', ')}.`;
}

function noActiveRelationship(
	addresses: readonly string[],
	relationships: RelationshipsByPeer,
): string {
	const [only, ...others] = addresses;
	const known = others.length === 0 ? relationships.get(only ?? '') : undefined;
	if (known !== undefined) return relationshipState(known);
	return `There is no active relationship with ${addresses.join(', ')}`;
}

function withDeletionStatus(
	recipients: readonly string[],
	relationships: RelationshipsByPeer,
	status: 'ToBeDeleted' | 'Deleted',
): string[] {
	return recipients.filter(
		(address) => relationships.get(address)?.peerDeletionInfo?.deletionStatus === status,
	);
}

/**
 * Requires that `to` and `cc` of a Mail together name each recipient exactly once
 * (docs/protocol/transport.md 7.2).
 */
export function checkMailAddresses(
	mail: { readonly to: readonly string[]; readonly cc?: readonly string[] | undefined },
	recipients: readonly string[],
): GatewayError | undefined {
	const named = [...mail.to, ...(mail.cc ?? [])];
	const unique = new Set(named);
	if (unique.size !== named.length) {
		return invalidInput(
			'An address occurs more than once in the To and CC fields of the Mail.',
			'content.to',
		);
	}
	const same = unique.size === recipients.length && recipients.every((r) => unique.has(r));
	if (same) return undefined;
	return invalidInput(
		'The recipients of the message differ from the To and CC fields of the Mail.',
		'recipients',
	);
}
