import { createHash } from 'node:crypto';
import type { Cancellable } from '../../base/abort';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { UnreadableItem } from '../../backbone/backbone';
import type { WireMessage } from '../../backbone/dto';
import type { SendIntentRecord } from '../../model/record/message';
import type { MessageContext } from './message-context';

export interface SentMessage {
	readonly id: string;
	readonly createdAt: string;
}

const clockToleranceMs = 10 * 60_000;

/** Finds at the Backbone the messages behind intents whose outcome is not known. */
export class SentMessageSearch {
	/** for each intent that was looked for in vain: the newest message of that time */
	private readonly searchedUpTo = new Map<string, string>();

	constructor(private readonly context: Pick<MessageContext, 'backbone' | 'account'>) {}

	/** @throws `error.gateway.backbone.unexpectedAnswer` when it may be a message that cannot be read */
	async find(intent: SendIntentRecord, options: Cancellable): Promise<SentMessage | undefined> {
		const found = (await this.findMany([intent], options)).get(intent.id);
		if (isGatewayError(found)) throw found;
		return found;
	}

	/**
	 * Walks the list once for all of them: from the newest message backwards, no further than to the
	 * time of each intent, or to what the search before this one began with.
	 *
	 * @returns by ids of intents the messages that were found, and for what may be an own message that
	 * cannot be read the reason: nothing may be sent again then
	 */
	async findMany(
		intents: readonly SendIntentRecord[],
		options: Cancellable,
	): Promise<Map<string, SentMessage | GatewayError>> {
		const found = new Map<string, SentMessage | GatewayError>();
		if (intents.length === 0) return found;
		let open = intents;
		let newest: string | undefined;
		for await (const message of newestMessages(this.context, options)) {
			if ('problem' in message) {
				const { createdBy = this.context.account.address, problem } = message;
				if (this.isOwn({ createdBy })) for (const { id } of open) found.set(id, problem);
				continue;
			}
			newest ??= message.id;
			const { id, createdAt } = message;
			open = open.filter((intent) => !this.isBefore(message, intent));
			const hash = this.isOwn(message) ? sealedBodyHash(message.body) : undefined;
			const intent = open.find(({ bodyHash }) => bodyHash === hash);
			if (intent !== undefined) found.set(intent.id, { id, createdAt });
			open = open.filter((one) => one !== intent);
			if (open.length === 0) break;
		}
		for (const { id } of intents) {
			if (found.has(id)) this.searchedUpTo.delete(id);
			else if (newest !== undefined) this.searchedUpTo.set(id, newest);
		}
		return found;
	}

	private isOwn({ createdBy }: Pick<WireMessage, 'createdBy'>): boolean {
		return createdBy === this.context.account.address;
	}

	/** From here on backwards there is nothing to be found. */
	private isBefore({ id, createdAt }: WireMessage, intent: SendIntentRecord): boolean {
		if (this.searchedUpTo.get(intent.id) === id) return true;
		const preparedAt = Date.parse(intent.preparedAt ?? intent.createdAt);
		return Date.parse(createdAt) < preparedAt - clockToleranceMs;
	}
}

/** 20,000 messages: whatever is looked for is found long before, and a list may lie about its length */
const maxPages = 1_000;

/** All messages that the Backbone shows us, newest first, page by page; the unreadable ones of each first. */
export async function* newestMessages(
	context: Pick<MessageContext, 'backbone'>,
	options: Cancellable,
): AsyncGenerator<WireMessage | UnreadableItem> {
	const pageSize = 20;
	const { totalRecords } = await context.backbone.messages.page(
		{ pageNumber: 1, pageSize: 1 },
		options,
	);
	const newest = Math.ceil(totalRecords / pageSize);
	const oldest = Math.max(1, newest - maxPages + 1);
	for (let page = newest; page >= oldest; page--) {
		const unreadable: UnreadableItem[] = [];
		const { items } = await context.backbone.messages.page(
			{ pageNumber: page, pageSize },
			{ ...options, onUnreadable: (item) => unreadable.push(item) },
		);
		// The last page may have been emptied meanwhile; others are only where the totals are not true.
		if (items.length + unreadable.length === 0 && page < newest) return;
		yield* unreadable;
		yield* items.reverse();
	}
}

/** The sealed body is unique: its key and nonce are random. Base64 alphabets may differ on return. */
export function sealedBodyHash(body: string): string {
	return createHash('sha256').update(Buffer.from(body, 'base64url')).digest('base64url');
}
