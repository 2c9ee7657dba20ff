import type { Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import type { ListOptions } from '../../backbone/port/backbone';
import { isOddAnswer } from '../../backbone/port/odd-answer';
import type { WireMessage } from '../../backbone/dto';
import type { InboxEvent } from '../../model/record/sync';
import type { MessageBalance } from '../../model/record/reconciliation';
import { foundEvent, type Compared } from './found-events';
import type { Needs } from '../../domain/needs';

/** messages per call; a page with large messages is read in smaller parts */
const pageSize = 100;
const smallerPageSizes: Readonly<Record<number, number>> = { [pageSize]: 10, 10: 1 };
/** unreadable messages per page; with more of them the whole list counts as malformed */
const mostUnreadable = 5;
/** limit of one million messages, because a list may report a wrong length */
const maxPages = 10_000;
/** largest difference between the clocks of several servers */
const overlapMs = 3_600_000;

export type MessageComparisonDependencies = Needs<'store' | 'backbone' | 'logger'>;

/** Extent of the search back through the pages. */
export interface MessageGoal {
	/** true to read all pages, independent of the counts */
	readonly isFull: boolean;
	readonly missing: number;
	readonly comparedTo: string | undefined;
}

/**
 * Finds messages that are not stored: received messages, and messages of this account that a
 * restored backup lacks. The totals of the Backbone and of the store show with a single call
 * whether messages are missing. Pages are read from the newest backwards; the newest page is always
 * read.
 */
export class MessageComparison {
	/** unreadable messages on the current page */
	private unreadable = 0;

	constructor(private readonly dependencies: MessageComparisonDependencies) {}

	/** Reads the current totals of both sides. */
	async balance(options: Cancellable): Promise<MessageBalance> {
		const { store, backbone } = this.dependencies;
		const request = { pageNumber: 1, pageSize: 1 };
		const { totalRecords: total } = await backbone.messages.page(request, options);
		const known = await store.read((tx) => tx.messages.count(), options);
		return { total, known };
	}

	/** Returns the number of the page to begin with. */
	firstPage({ total }: MessageBalance): number {
		return Math.ceil(total / pageSize);
	}

	/**
	 * Compares one page.
	 *
	 * @param page from 1, which has the oldest messages
	 * @param absent number of missing messages found so far: once all missing messages are found, the
	 * search ends at the messages that were compared before
	 */
	async compare(
		page: number,
		goal: MessageGoal,
		absent: number,
		options: Cancellable,
	): Promise<Compared & { readonly newestAt: string | undefined; readonly isWalkDone: boolean }> {
		this.unreadable = 0;
		const messages = await this.read(page, pageSize, {
			...options,
			onUnreadable: () => this.unreadable++,
		});
		const events = await this.missingOf(messages, options);
		const oldestAt = messages[0]?.createdAt;
		const isBefore =
			goal.comparedTo !== undefined &&
			oldestAt !== undefined &&
			Date.parse(oldestAt) < Date.parse(goal.comparedTo) - overlapMs;
		const isFound = absent + events.length + this.unreadable >= goal.missing;
		const isEmpty = messages.length + this.unreadable === 0;
		const isWalkDone = page <= 1 || isEmpty || (!goal.isFull && isBefore && isFound);
		// The totals are equal, so the newest page is read only as an additional check.
		const isEnough = !goal.isFull && goal.missing === 0 && events.length === 0;
		return {
			compared: messages.length,
			found: events,
			newestAt: messages.at(-1)?.createdAt,
			isWalkDone,
			...(isWalkDone || isEnough ? {} : { next: Math.min(page - 1, maxPages) }),
		};
	}

	private async missingOf(
		messages: readonly WireMessage[],
		options: Cancellable,
	): Promise<InboxEvent[]> {
		const { store } = this.dependencies;
		const ids = messages.map(({ id }) => id);
		const entries = await store.read((tx) => tx.messages.getMany(ids), options);
		const stored = new Set(entries.map(({ record }) => record.id));
		const found: InboxEvent[] = [];
		for (const { id, createdAt } of messages) {
			if (!stored.has(id)) {
				found.push(foundEvent('MessageReceived', { id }, id, createdAt));
			}
		}
		return found;
	}

	/**
	 * Reads a page. A message that is unreadable by itself is omitted; the event that reported it
	 * handles its failure.
	 */
	private async read(page: number, size: number, options: ListOptions): Promise<WireMessage[]> {
		const { backbone, logger } = this.dependencies;
		try {
			return (await backbone.messages.page({ pageNumber: page, pageSize: size }, options)).items;
		} catch (error) {
			if (!isGatewayError(error) || !isOddAnswer(error)) throw error;
			const smaller = smallerPageSizes[size];
			if (smaller === undefined) {
				if (++this.unreadable > mostUnreadable) throw error;
				logger.warn('a message could not be compared', { code: error.code, position: page });
				return [];
			}
			const parts: WireMessage[] = [];
			const count = size / smaller;
			for (let part = 1; part <= count; part++) {
				parts.push(...(await this.read((page - 1) * count + part, smaller, options)));
			}
			return parts;
		}
	}
}
