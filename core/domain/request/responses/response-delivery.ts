import { throwIfAborted, type Cancellable } from '../../../base/abort';
import { isoInstant } from '../../../base/clock';
import { isGatewayError } from '../../../base/errors';
import { parseAs } from '../../../model/content/parse';
import {
	relationshipCreationContent,
	type CreationContent,
} from '../../../model/content/creation-content';
import { responseWrapper, type ResponseWrapper } from '../../../model/content/requests/responses';
import type { RequestRecord } from '../../../model/record/request';
import type { WorkRecord } from '../../../model/record/work';
import type { ReadTransaction, WriteTransaction } from '../../../store/store';
import { currentRelationship } from '../../current-relationship';
import { isOutcomeUnknown, isTemporary } from '../../unfinished/outcome';
import { findWork, parked, postponeWork, type Ledger } from '../../unfinished/ledger';
import { takeAction } from '../request-changes';
import type { Needs } from '../../needs';

/**
 * Transport of responses to peers, injected because messages and relationships may import requests,
 * but not vice versa.
 */
export interface ResponseTransport {
	/** Checks the peers before messages are prepared. */
	ready(peers: readonly string[], options: Cancellable): Promise<void>;
	/** Seals and stores a message in the transaction; the caller sends it after the commit. */
	prepareMessage(
		tx: WriteTransaction,
		peer: string,
		content: ResponseWrapper,
	): Promise<{
		readonly intentId: string;
		readonly send: (options: Cancellable) => Promise<void>;
	}>;
	/** True while a prepared message is still to be sent; every sync tries. */
	isWaiting(intentId: string, options: Cancellable): Promise<boolean>;
	createRelationship(
		input: { readonly templateId: string; readonly creationContent: CreationContent },
		options: Cancellable,
	): Promise<void>;
	/**
	 * Milliseconds to wait before a relationship may be requested again after a creation whose answer
	 * was lost: the peer's rejection of that creation may be on its way.
	 */
	waitBeforeCreatingAgainMs(templateId: string, options: Cancellable): Promise<number>;
	/**
	 * True when a creation for this template may have arrived at the Backbone while its answer was
	 * lost.
	 */
	isCreationAwaited(tx: ReadTransaction, templateId: string): Promise<boolean>;
}

export interface DeliveryDependencies extends Needs<'store' | 'clock' | 'logger'> {
	readonly ledger: Ledger;
	readonly transport: ResponseTransport;
}

/** Delay of the next attempt while another event is expected to continue the delivery. */
const continuationDelayMs = 10 * 60_000;

const answers = ['acceptRequest', 'rejectRequest'] as const;

/** Work that remains after the transaction of a decision. */
export type Delivery = (options: Cancellable) => Promise<void>;

/**
 * Delivers decided responses to the peer (docs/protocol/consumption.md 10.1). The work stays open
 * until the response has arrived, so that after a crash at any point the next sync continues.
 */
export class ResponseDelivery {
	constructor(private readonly dependencies: DeliveryDependencies) {}

	/** Checks the peer; called before {@link prepare}. */
	async ready(peer: string, options: Cancellable): Promise<void> {
		await this.dependencies.transport.ready([peer], options);
	}

	/**
	 * Prepares the delivery inside the transaction that stores the decision, or a later one. Without
	 * a relationship, a rejected request of a template is not answered: it is complete
	 * (docs/protocol/consumption.md 5.7).
	 */
	async prepare(tx: WriteTransaction, record: RequestRecord): Promise<Delivery> {
		const isRejection = record.response?.content.result === 'Rejected';
		const kind = isRejection ? 'rejectRequest' : 'acceptRequest';
		await this.dependencies.ledger.begin(tx, record.id, kind);
		const send = await this.prepareSending(tx, record);
		return (options) => this.deliver(record.id, () => send(options));
	}

	/**
	 * Continues an interrupted or failed delivery.
	 *
	 * @throws a failure after which the delivery is to be tried again
	 */
	async resume(
		waiting: RequestRecord,
		{ isWanted }: WorkRecord,
		options: Cancellable,
	): Promise<void> {
		const { store, transport } = this.dependencies;
		const { id, sendIntentId } = waiting;
		try {
			if (sendIntentId !== undefined && (await transport.isWaiting(sendIntentId, options))) {
				return await store.transact((tx) => this.postpone(tx, id), options);
			}
			await transport.ready([waiting.peer], options);
			const waitMs = isWanted ? 0 : await this.waitBeforeResumingMs(waiting, options);
			if (waitMs > 0) return await store.transact((tx) => this.postpone(tx, id, waitMs), options);
			const send = await store.transact(async (tx) => {
				const record = (await tx.requests.get(id))?.record;
				const isOpen = (await findWork(tx, id, answers)) !== undefined;
				return record && isOpen ? await this.prepareSending(tx, record) : undefined;
			}, options);
			await send?.(options);
		} catch (error) {
			throwIfAborted(options);
			if ((await this.note(id, error)) === 'open') throw error;
		}
	}

	private async waitBeforeResumingMs(
		waiting: RequestRecord,
		options: Cancellable,
	): Promise<number> {
		const { store, transport } = this.dependencies;
		const isByMessage = await store.read((tx) => isAnsweredByMessage(tx, waiting), options);
		const isRejection = waiting.response?.content['result'] === 'Rejected';
		if (isByMessage || isRejection) return 0;
		return await transport.waitBeforeCreatingAgainMs(waiting.source?.reference ?? '', options);
	}

	private async prepareSending(tx: WriteTransaction, record: RequestRecord): Promise<Delivery> {
		const { transport, clock } = this.dependencies;
		const wrapper = wrapperOf(record);
		if (await isAnsweredByMessage(tx, record)) {
			const message = await transport.prepareMessage(tx, record.peer, wrapper);
			await tx.requests.update({ ...record, sendIntentId: message.intentId });
			return (options) => message.send(options);
		}
		if (record.response?.content.result === 'Rejected') {
			await takeAction(tx, record, 'complete', isoInstant(clock.now()));
			return () => Promise.resolve();
		}
		const { sendIntentId: _former, ...rest } = record;
		await tx.requests.update(rest);
		return (options) => this.createRelationship(record, options);
	}

	/**
	 * Runs a delivery and stores its failure.
	 *
	 * @throws the final refusal of the response; after any other failure the next sync tries again
	 */
	private async deliver(requestId: string, send: () => Promise<void>): Promise<void> {
		try {
			await this.dependencies.ledger.whileClaimed(requestId, send);
		} catch (error) {
			if ((await this.note(requestId, error)) === 'refused') throw error;
		}
	}

	private async createRelationship(record: RequestRecord, options: Cancellable): Promise<void> {
		const { transport } = this.dependencies;
		const content = { response: record.response?.content ?? {} };
		const creationContent = parseAs(relationshipCreationContent, content, 'The response');
		const templateId = record.source?.reference ?? '';
		await transport.createRelationship({ templateId, creationContent }, options);
	}

	/**
	 * Stores the meaning of a failure: a refusal is final, and a response that may still arrive is
	 * `waiting`.
	 */
	private async note(requestId: string, error: unknown): Promise<'refused' | 'waiting' | 'open'> {
		if (!isGatewayError(error)) throw error;
		const { store, logger, transport } = this.dependencies;
		const { code, message: reason } = error;
		const outcome = await store.transact(async (tx) => {
			const record = (await tx.requests.get(requestId))?.record;
			const work = await findWork(tx, requestId, answers);
			if (record === undefined || work === undefined) return 'waiting';
			// The same answer may be accepted later, for example when a quota is renewed.
			const isOpen = isOutcomeUnknown(error) || isTemporary(error);
			if (isOpen && record.sendIntentId === undefined) return 'open';
			const templateId = record.source?.reference ?? '';
			// A message is retried with all waiting messages; a relationship of this account appears when
			// the peer answers.
			if (isOpen || (await transport.isCreationAwaited(tx, templateId))) {
				await this.postpone(tx, requestId);
				return 'waiting';
			}
			await tx.work.update(parked(work, error, this.dependencies.clock.now()));
			return 'refused';
		});
		const what = outcome === 'refused' ? 'was refused' : 'is still on its way';
		logger.warn(`the answer to a request ${what}`, { requestId, code, reason });
		return outcome;
	}

	/**
	 * Postpones the next attempt, because another event continues the delivery: until then the
	 * request alone must not cause a whole sync.
	 */
	private async postpone(
		tx: WriteTransaction,
		id: string,
		delayMs = continuationDelayMs,
	): Promise<void> {
		if ((await findWork(tx, id, answers)) === undefined) return;
		await postponeWork(tx, id, delayMs, this.dependencies.clock.now());
	}
}

/**
 * True for a request that came with a message, and for other requests once there is an active
 * relationship.
 */
async function isAnsweredByMessage(
	tx: ReadTransaction,
	{ source, peer }: RequestRecord,
): Promise<boolean> {
	if (source?.type !== 'RelationshipTemplate') return true;
	return (await currentRelationship(tx, peer))?.record.status === 'Active';
}

function wrapperOf({ id, source, response }: RequestRecord): ResponseWrapper {
	const wrapper = {
		requestId: id,
		requestSourceReference: source?.reference ?? '',
		requestSourceType: source?.type ?? '',
		response: response?.content ?? {},
	};
	return parseAs(responseWrapper, wrapper, 'The response');
}
