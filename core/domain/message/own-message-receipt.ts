import { isGatewayError } from '../../base/errors';
import type { WireMessage } from '../../backbone/dto';
import { readRelationshipSecrets } from '../../crypto/relationship-secrets-schema';
import type { MessageRecord } from '../../model/record/message';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { currentRelationship, otherRelationships } from '../current-relationship';
import type { MessageDependencies } from './message-dependencies';
import { openOwnMessage, type OpenedMessage } from './message-envelope';
import { openSends } from './sending/send-states';
import { sealedBodyHash } from './sending/sent-messages';
import { matching } from '../query/conditions';

/**
 * Stores a message of this account that only the Backbone has, because this store was restored from
 * a backup. It was reported when it was sent, so no event follows. Without the keys of a recipient,
 * nothing is stored, and neither is a message that the Backbone shows again under another id.
 *
 * @returns the message that is stored, if any
 */
export async function receiveOwnMessage(
	tx: WriteTransaction,
	wire: WireMessage,
	context: Pick<MessageDependencies, 'logger' | 'observers'>,
): Promise<MessageRecord | undefined> {
	const known = (await tx.messages.get(wire.id)) ?? (await ownMessageIn(tx, wire));
	if (known !== undefined) return known.record;
	const open = await tx.sendIntents.list({ where: openSends });
	const bodyHash = sealedBodyHash(wire.body);
	// The settlement of sends completes it.
	if (open.some(({ record }) => record.bodyHash === bodyHash)) return undefined;
	const found = await openOwn(tx, wire);
	if (found === undefined) {
		context.logger.info('an own message cannot be read again', { messageId: wire.id });
		return undefined;
	}
	const { opened, relationships } = found;
	const record: MessageRecord = {
		id: wire.id,
		isOwn: true,
		createdBy: wire.createdBy,
		createdByDevice: wire.createdByDevice,
		createdAt: wire.createdAt,
		content: opened.content,
		recipients: wire.recipients.map(({ address, receivedAt, receivedByDevice }) => {
			const relationshipId = relationships.get(address);
			return {
				address,
				...(receivedAt == null ? {} : { receivedAt }),
				...(receivedByDevice == null ? {} : { receivedByDevice }),
				...(relationshipId === undefined ? {} : { relationshipId }),
			};
		}),
		attachments: opened.attachments.map(({ id }) => id),
		identity: bodyHash,
	};
	const keys = opened.attachments.map(({ id, key }) => ({ id, key }));
	await tx.messages.insert(record, {
		messageKey: opened.messageKey,
		...(keys.length === 0 ? {} : { attachments: keys }),
	});
	await context.observers.notify('messageSent', tx, record);
	return record;
}

/** The stored own message with the same sealed body, under any id. */
export async function ownMessageIn(
	tx: ReadTransaction,
	{ body }: Pick<WireMessage, 'body'>,
): Promise<{ readonly record: MessageRecord } | undefined> {
	return await tx.messages.first({ where: matching({ identity: sealedBodyHash(body) }) });
}

async function openOwn(
	tx: ReadTransaction,
	wire: WireMessage,
): Promise<{ opened: OpenedMessage; relationships: Map<string, string> } | undefined> {
	const relationships = new Map<string, string>();
	let opened: OpenedMessage | undefined;
	for (const { address } of wire.recipients) {
		const current = await currentRelationship(tx, address);
		if (current === undefined) continue;
		const others = await otherRelationships(tx, address, current.record.id);
		for (const { record, secrets } of [current, ...others]) {
			if (secrets.established === undefined) continue;
			const recipient = { address, secrets: readRelationshipSecrets(secrets.established) };
			const own = openedOrUndefined(() => openOwnMessage(wire, recipient));
			if (own === undefined) continue;
			opened ??= own;
			relationships.set(address, record.id);
			break;
		}
	}
	return opened === undefined ? undefined : { opened, relationships };
}

/** Keys of another relationship do not fit, and content of an unknown form is not read again. */
function openedOrUndefined(open: () => OpenedMessage): OpenedMessage | undefined {
	try {
		return open();
	} catch (error) {
		if (!isGatewayError(error)) throw error;
		return undefined;
	}
}
