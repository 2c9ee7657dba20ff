import { createHash } from 'node:crypto';
import type { Cancellable } from '../../base/abort';
import type { WireMessage } from '../../backbone/dto';
import type { SendIntentRecord } from '../../model/record/message';
import type { MessageContext } from './message-context';

/**
 * Looks for an own message with the intent's body, from the newest backwards, no further than the
 * intent's own time.
 */
export async function findSentMessage(
	context: Pick<MessageContext, 'backbone' | 'account'>,
	intent: SendIntentRecord,
	options: Cancellable,
): Promise<{ id: string; createdAt: string } | undefined> {
	const clockToleranceMs = 10 * 60_000;
	const oldest = Date.parse(intent.createdAt) - clockToleranceMs;
	for await (const message of newestMessages(context, options)) {
		if (Date.parse(message.createdAt) < oldest) return undefined;
		if (
			message.createdBy === context.account.address &&
			sealedBodyHash(message.body) === intent.bodyHash
		) {
			return { id: message.id, createdAt: message.createdAt };
		}
	}
	return undefined;
}

/** 20,000 messages: whatever is looked for is found long before, and a list may lie about its length */
const maxPages = 1_000;

/** All messages that the Backbone shows us, newest first, page by page. */
export async function* newestMessages(
	context: Pick<MessageContext, 'backbone'>,
	options: Cancellable,
): AsyncGenerator<WireMessage> {
	const pageSize = 20;
	const { totalRecords } = await context.backbone.messages.page(
		{ pageNumber: 1, pageSize: 1 },
		options,
	);
	const newest = Math.ceil(totalRecords / pageSize);
	const oldest = Math.max(1, newest - maxPages + 1);
	for (let page = newest; page >= oldest; page--) {
		const { items } = await context.backbone.messages.page({ pageNumber: page, pageSize }, options);
		// The last page may have been emptied meanwhile; others are only where the totals are not true.
		if (items.length === 0 && page < newest) return;
		yield* items.reverse();
	}
}

/** The sealed body is unique: its key and nonce are random. Base64 alphabets may differ on return. */
export function sealedBodyHash(body: string): string {
	return createHash('sha256').update(Buffer.from(body, 'base64url')).digest('base64url');
}
