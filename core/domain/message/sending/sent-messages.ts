import { createHash } from 'node:crypto';
import type { Cancellable } from '../../../base/abort';
import { isGatewayError, type GatewayError } from '../../../base/errors';
import type { MessageResource, PageRequest, UnreadableItem } from '../../../backbone/port/backbone';
import type { WireMessage } from '../../../backbone/dto';
import type { SendIntentRecord } from '../../../model/record/message';
import type { MessageDependencies } from '../message-dependencies';
import type { LocalSends } from './local-sends';

export interface SentMessage {
	readonly id: string;
	readonly createdAt: string;
}

/** Result of one look at the Backbone's list of messages. */
export interface SearchResult {
	/**
	 * found messages by ids of intents; or an error if an unreadable message of this account may be
	 * the wanted message: then nothing may be sent again
	 */
	readonly found: ReadonlyMap<string, SentMessage | GatewayError>;
	/** time at which reading began, in milliseconds since the epoch, by the clock of the Backbone */
	readonly readAtMs: number;
}

const clockToleranceMs = 10 * 60_000;
/**
 * Age up to which a search looks again at messages that an earlier search has seen: a call that
 * ends late can add a message before newer ones, because its time is the time at which the Backbone
 * began to work on it.
 */
const lateEntryMs = 5 * 60_000;

/** Finds messages at the Backbone whose intents have an unknown outcome. */
export class SentMessageSearch {
	constructor(
		private readonly dependencies: Pick<MessageDependencies, 'backbone' | 'account' | 'clock'>,
		private readonly local: LocalSends,
	) {}

	/**
	 * @throws `error.gateway.backbone.unexpectedAnswer` when an unreadable message may be the wanted
	 * message
	 */
	async find(
		intent: SendIntentRecord,
		options: Cancellable,
	): Promise<{ readonly sent: SentMessage | undefined; readonly readAtMs: number }> {
		const { found, readAtMs } = await this.findMany([intent], options);
		const sent = found.get(intent.id);
		if (isGatewayError(sent)) throw sent;
		return { sent, readAtMs };
	}

	/** Walks the list once for all intents, and determines when it was read. */
	async findMany(
		intents: readonly SendIntentRecord[],
		options: Cancellable,
	): Promise<SearchResult> {
		const { backbone, clock } = this.dependencies;
		const startedMs = performance.now();
		const found = await this.walk(intents, options);
		const nowMs = backbone.serverTimeMs ?? clock.now();
		return { found, readAtMs: nowMs - (performance.now() - startedMs) };
	}

	/**
	 * Walks the list from the newest message backwards, no further than to the time of each intent,
	 * or to some minutes before the newest message of the previous search.
	 */
	private async walk(
		intents: readonly SendIntentRecord[],
		options: Cancellable,
	): Promise<Map<string, SentMessage | GatewayError>> {
		const found = new Map<string, SentMessage | GatewayError>();
		if (intents.length === 0) return found;
		let open = intents;
		let newest: string | undefined;
		for await (const message of newestMessages(this.dependencies, options)) {
			if ('problem' in message) {
				const { createdBy = this.dependencies.account.address, problem } = message;
				if (this.isOwn({ createdBy })) for (const { id } of open) found.set(id, problem);
				continue;
			}
			newest ??= message.createdAt;
			const { id, createdAt } = message;
			open = open.filter((intent) => !this.isBefore(message, intent));
			const hash = this.isOwn(message) ? sealedBodyHash(message.body) : undefined;
			const intent = open.find(({ bodyHash }) => bodyHash === hash);
			if (intent !== undefined) found.set(intent.id, { id, createdAt });
			open = open.filter((one) => one !== intent);
			if (open.length === 0) break;
		}
		for (const { id } of intents) {
			if (!found.has(id) && newest !== undefined) this.local.noteSearch(id, newest);
		}
		return found;
	}

	private isOwn({ createdBy }: Pick<WireMessage, 'createdBy'>): boolean {
		return createdBy === this.dependencies.account.address;
	}

	/** True when neither this message nor any older one can belong to the intent. */
	private isBefore({ createdAt }: WireMessage, intent: SendIntentRecord): boolean {
		const searchedUpTo = Date.parse(this.local.searchedUpTo(intent.id) ?? '');
		if (Date.parse(createdAt) < searchedUpTo - lateEntryMs) return true;
		const preparedAt = Date.parse(intent.preparedAt ?? intent.createdAt);
		return Date.parse(createdAt) < preparedAt - clockToleranceMs;
	}
}

/** 20,000 messages: a search ends long before, unless the Backbone names too high a total */
const maxPages = 1_000;

/**
 * All messages at the Backbone, newest first, page by page; unreadable ones of a page come first.
 * The first page is short, because every start of a gateway requests it and its messages mostly
 * suffice. Its messages may be repeated on the next page.
 */
export async function* newestMessages(
	context: Pick<MessageDependencies, 'backbone'>,
	options: Cancellable,
): AsyncGenerator<WireMessage | UnreadableItem> {
	const { messages } = context.backbone;
	const { totalRecords } = await messages.page({ pageNumber: 1, pageSize: 1 }, options);
	const first = await newestOnPage(messages, lastPage(totalRecords, shortPageSize), options);
	yield* first;
	const newest = lastPage(totalRecords - first.length, pageSize);
	const oldest = Math.max(1, newest.pageNumber - maxPages + 1);
	for (let { pageNumber } = newest; pageNumber >= oldest; pageNumber--) {
		const page = await newestOnPage(messages, { pageNumber, pageSize }, options);
		// Deletions can empty the last page in the meantime; an earlier empty page means a wrong total.
		if (page.length === 0 && pageNumber < newest.pageNumber) return;
		yield* page;
	}
}

const pageSize = 20;
const shortPageSize = 5;

const lastPage = (records: number, size: number): PageRequest => ({
	pageNumber: Math.ceil(records / size),
	pageSize: size,
});

async function newestOnPage(
	messages: MessageResource,
	request: PageRequest,
	options: Cancellable,
): Promise<Array<WireMessage | UnreadableItem>> {
	if (request.pageNumber < 1) return [];
	const unreadable: UnreadableItem[] = [];
	const { items } = await messages.page(request, {
		...options,
		onUnreadable: (item) => unreadable.push(item),
	});
	return [...unreadable, ...items.toReversed()];
}

/**
 * Hashes the sealed body, which is unique because its key and nonce are random. The Backbone may
 * return it in another base64 alphabet.
 */
export function sealedBodyHash(body: string): string {
	return createHash('sha256').update(Buffer.from(body, 'base64url')).digest('base64url');
}
