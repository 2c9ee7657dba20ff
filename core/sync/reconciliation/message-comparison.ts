import type { Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { Backbone, ListOptions } from '../../backbone/backbone';
import { isOddAnswer } from '../../backbone/odd-answer';
import type { WireMessage } from '../../backbone/dto';
import type { InboxEvent } from '../../model/record/sync';
import type { MessageBalance } from '../../model/record/reconciliation';
import type { Store } from '../../store/store';
import { foundEvent, type Compared } from './found-events';

/** messages of one call; a page with large ones is read in smaller parts */
const pageSize = 100;
const smallerPageSizes: Readonly<Record<number, number>> = { [pageSize]: 10, 10: 1 };
/** messages of a page that cannot be read; with more the whole list is odd */
const mostUnreadable = 5;
/** a million messages: a list may lie about its length */
const maxPages = 10_000;
/** what the clocks of several servers may differ by */
const overlapMs = 3_600_000;

export interface MessageComparisonDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly logger: Logger;
}

/** How far back pages are read. */
export interface MessageGoal {
	/** everything, whatever the numbers say */
	readonly isFull: boolean;
	readonly missing: number;
	readonly comparedTo: string | undefined;
}

/**
 * Finds received messages that are not stored here. The totals of the Backbone and of the store tell
 * for the price of one call whether any is missing; pages are read from the newest one backwards, the
 * newest always.
 */
export class MessageComparison {
	/** on the page that is being read */
	private unreadable = 0;

	constructor(private readonly deps: MessageComparisonDependencies) {}

	/** What both sides count now. */
	async balance(options: Cancellable): Promise<MessageBalance> {
		const { store, backbone } = this.deps;
		const request = { pageNumber: 1, pageSize: 1 };
		const { totalRecords: total } = await backbone.messages.page(request, options);
		const known = await store.read((tx) => tx.messages.count(), options);
		return { total, known };
	}

	/** The page to begin with. */
	firstPage({ total }: MessageBalance): number {
		return Math.ceil(total / pageSize);
	}

	/**
	 * @param page from 1, the oldest messages
	 * @param absent so far: as many as are missing end the search at what was compared before
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
		// Both sides count the same: the newest page is looked at for certainty only.
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
		const { store } = this.deps;
		const ids = messages.map(({ id }) => id);
		const entries = await store.read((tx) => tx.messages.getMany(ids), options);
		const stored = new Set(entries.map(({ record }) => record.id));
		const { address } = await this.self(options);
		const found: InboxEvent[] = [];
		for (const { id, createdAt, createdBy } of messages) {
			if (!stored.has(id) && createdBy !== address) {
				found.push(foundEvent('MessageReceived', { id }, id, createdAt));
			}
		}
		return found;
	}

	private async self(options: Cancellable): Promise<{ readonly address: string }> {
		const entry = await this.deps.store.read((tx) => tx.identity.get('self'), options);
		return { address: entry?.record.address ?? '' };
	}

	/** A message that cannot be read by itself is left out; the event that announced it has its say. */
	private async read(page: number, size: number, options: ListOptions): Promise<WireMessage[]> {
		const { backbone, logger } = this.deps;
		try {
			return (await backbone.messages.page({ pageNumber: page, pageSize: size }, options)).items;
		} catch (error) {
			if (!isGatewayError(error) || !isOddAnswer(error)) throw error;
			const smaller = smallerPageSizes[size];
			if (smaller === undefined && ++this.unreadable > mostUnreadable) throw error;
			if (smaller === undefined) {
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
