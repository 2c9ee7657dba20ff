import { throwIfAborted, type Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import { parseAs } from '../../model/content/parse';
import { relationshipCreationContent } from '../../model/content/creation-content';
import { responseWrapper } from '../../model/content/responses';
import type { JsonObject } from '../../model/json';
import type { RequestRecord } from '../../model/record/request';
import type { ReadTransaction, Store, WriteTransaction } from '../../store/store';
import { currentRelationship } from '../current-relationship';
import { isOutcomeUnknown } from '../outcome';
import { isWantedNow, postponed } from '../unfinished/retry-rules';
import { takeAction, withoutPending } from './request-changes';

/** How responses get to peers: nouns that come later than this one do it. */
export interface ResponseTransport {
	/** Before messages are prepared. */
	ready(peers: readonly string[], options: Cancellable): Promise<void>;
	/** Seals and stores a message in the transaction; it is sent when that has ended. */
	prepareMessage(
		tx: WriteTransaction,
		peer: string,
		content: JsonObject,
	): Promise<{
		readonly intentId: string;
		readonly send: (options: Cancellable) => Promise<void>;
	}>;
	/** Whether a prepared message is still to be sent; every sync tries. */
	isWaiting(intentId: string, options: Cancellable): Promise<boolean>;
	createRelationship(
		input: { readonly templateId: string; readonly creationContent: JsonObject },
		options: Cancellable,
	): Promise<void>;
	/**
	 * How long to wait, in milliseconds, before a relationship may be asked for once more, after a creation
	 * whose answer was lost: the peer's rejection of that one may be on its way.
	 */
	waitBeforeCreatingAgainMs(templateId: string, options: Cancellable): Promise<number>;
	/** Whether a creation for this template may have arrived at the Backbone without our knowing. */
	isCreationAwaited(tx: ReadTransaction, templateId: string): Promise<boolean>;
}

export interface DeliveryParts {
	readonly store: Store;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly transport: ResponseTransport;
}

const patienceMs = 10 * 60_000;

/** What is left to do when the transaction of a decision has ended. */
export type Delivery = (options: Cancellable) => Promise<void>;

/**
 * Brings decided responses to the peer (docs/protocol/consumption.md 10.1). Until one has arrived, the
 * record says so: whatever dies in between, the next sync goes on.
 */
export class ResponseDelivery {
	/** requests of this process that are on their way */
	private readonly underWay = new Set<string>();

	constructor(private readonly parts: DeliveryParts) {}

	/** To be called before {@link prepare}. */
	async ready(peer: string, options: Cancellable): Promise<void> {
		await this.parts.transport.ready([peer], options);
	}

	/**
	 * Inside the transaction that stores the decision, or a later one. A rejected request of a template
	 * is not answered where there is no relationship: it is complete (5.7).
	 */
	async prepare(tx: WriteTransaction, record: RequestRecord): Promise<Delivery> {
		const send = await this.prepareSending(tx, record);
		return (options) => this.deliver(record.id, () => send(options));
	}

	/**
	 * Goes on with what was interrupted, or could not be brought to its end before.
	 *
	 * @throws a failure after which it is to be tried again
	 */
	async resume(waiting: RequestRecord, options: Cancellable): Promise<void> {
		const { store, transport } = this.parts;
		const { id, sendIntentId } = waiting;
		if (this.underWay.has(id)) return;
		this.underWay.add(id);
		try {
			if (sendIntentId !== undefined && (await transport.isWaiting(sendIntentId, options))) {
				return await store.transact((tx) => this.postpone(tx, id), options);
			}
			await transport.ready([waiting.peer], options);
			const waitMs = await this.waitBeforeResumingMs(waiting, options);
			if (waitMs > 0) return await store.transact((tx) => this.postpone(tx, id, waitMs), options);
			const send = await store.transact(async (tx) => {
				const record = (await tx.requests.get(id))?.record;
				return record?.pending === 'delivery' ? await this.prepareSending(tx, record) : undefined;
			}, options);
			await send?.(options);
		} catch (error) {
			throwIfAborted(options);
			if ((await this.note(id, error)) === 'open') throw error;
		} finally {
			this.underWay.delete(id);
		}
	}

	private async waitBeforeResumingMs(
		waiting: RequestRecord,
		options: Cancellable,
	): Promise<number> {
		const { store, transport } = this.parts;
		const isByMessage = await store.read((tx) => isAnsweredByMessage(tx, waiting), options);
		const isRejection = waiting.response?.content['result'] === 'Rejected';
		if (isByMessage || isRejection || isWantedNow(waiting.retry)) return 0;
		return await transport.waitBeforeCreatingAgainMs(waiting.source?.reference ?? '', options);
	}

	private async prepareSending(tx: WriteTransaction, record: RequestRecord): Promise<Delivery> {
		const { transport, clock } = this.parts;
		const wrapper = wrapperOf(record);
		if (await isAnsweredByMessage(tx, record)) {
			const message = await transport.prepareMessage(tx, record.peer, wrapper);
			await tx.requests.update({
				...record,
				pending: 'delivery',
				sendIntentId: message.intentId,
			});
			return (options) => message.send(options);
		}
		if (record.response?.content['result'] === 'Rejected') {
			const now = isoInstant(clock.now());
			await takeAction(tx, withoutPending(record), 'complete', now);
			return () => Promise.resolve();
		}
		const { sendIntentId: _former, ...rest } = record;
		await tx.requests.update({ ...rest, pending: 'delivery' });
		return (options) => this.createRelationship(record, options);
	}

	/** @throws what refused it for good; anything else is tried again by the next sync */
	private async deliver(requestId: string, send: () => Promise<void>): Promise<void> {
		this.underWay.add(requestId);
		try {
			await send();
		} catch (error) {
			if ((await this.note(requestId, error)) === 'refused') throw error;
		} finally {
			this.underWay.delete(requestId);
		}
	}

	private async createRelationship(record: RequestRecord, options: Cancellable): Promise<void> {
		const { transport } = this.parts;
		const content = { response: record.response?.content ?? {} };
		const creationContent = parseAs(relationshipCreationContent, content, 'The response');
		const templateId = record.source?.reference ?? '';
		await transport.createRelationship({ templateId, creationContent }, options);
	}

	/**
	 * Stores what a failure means: who refuses an answer once refuses it always, and an answer that is
	 * on its way is `waiting`.
	 */
	private async note(requestId: string, error: unknown): Promise<'refused' | 'waiting' | 'open'> {
		if (!isGatewayError(error)) throw error;
		const { store, logger, transport } = this.parts;
		const { code, message } = error;
		const outcome = await store.transact(async (tx) => {
			const record = (await tx.requests.get(requestId))?.record;
			if (record?.pending !== 'delivery') return 'waiting';
			const isUnknown = isOutcomeUnknown(error);
			if (isUnknown && record.sendIntentId === undefined) return 'open';
			const templateId = record.source?.reference ?? '';
			// A message is tried again with all that wait; our own creation appears when the peer answers.
			if (isUnknown || (await transport.isCreationAwaited(tx, templateId))) {
				await this.postpone(tx, requestId);
				return 'waiting';
			}
			const at = isoInstant(this.parts.clock.now());
			const deliveryFailure = { code, message, at };
			await tx.requests.update({ ...withoutPending(record), deliveryFailure });
			return 'refused';
		});
		const what = outcome === 'refused' ? 'was refused' : 'is on its way still';
		logger.warn(`the answer to a request ${what}`, { requestId, code, reason: message });
		return outcome;
	}

	/** Something else brings it on: until then the request alone is no reason for a whole sync. */
	private async postpone(tx: WriteTransaction, id: string, patience = patienceMs): Promise<void> {
		const record = (await tx.requests.get(id))?.record;
		if (record?.pending !== 'delivery') return;
		const retry = postponed(record.retry, patience, this.parts.clock.now());
		await tx.requests.update({ ...record, retry });
	}
}

/** A request that came with a message is answered by one; others once there is a relationship. */
async function isAnsweredByMessage(
	tx: ReadTransaction,
	{ source, peer }: RequestRecord,
): Promise<boolean> {
	if (source?.type !== 'RelationshipTemplate') return true;
	return (await currentRelationship(tx, peer))?.record.status === 'Active';
}

function wrapperOf({ id, source, response }: RequestRecord): JsonObject {
	const wrapper = {
		requestId: id,
		requestSourceReference: source?.reference ?? '',
		requestSourceType: source?.type ?? '',
		response: response?.content ?? {},
	};
	return parseAs(responseWrapper, wrapper, 'The response');
}
