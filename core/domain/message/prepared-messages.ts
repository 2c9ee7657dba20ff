import { throwIfAborted, type Cancellable } from '../../base/abort';
import { codeOf } from '../../base/errors';
import { Limit } from '../../base/limit';
import type { JsonObject } from '../../model/json';
import type { SendIntentRecord } from '../../model/record/message';
import type { WriteTransaction } from '../../store/store';
import type { UnfinishedAttempts } from '../unfinished/unfinished-attempts';
import type { MessageContext } from './message-context';
import { outcomeUnknown } from './message-failures';
import type { MessageSending, SendIntent } from './message-sending';

/** A message that was sealed and stored inside a transaction, to be sent after its commit. */
export interface PreparedMessage {
	readonly intentId: string;
	/**
	 * Sends it, after whatever waits for the same peer.
	 *
	 * @throws `error.gateway.messages.outcomeUnknown` when it waits for another try, which syncs make
	 * by themselves; or what it was refused with for good
	 */
	readonly send: (options: Cancellable) => Promise<void>;
}

/** A message that a caller names by a key that was used before. */
export type EarlierMessage =
	| { readonly state: 'sent'; readonly messageId: string }
	| {
			readonly state: 'waiting';
			readonly content: JsonObject;
			readonly message: PreparedMessage;
	  };

const outcomeUnknownCode = 'error.gateway.messages.outcomeUnknown';

/**
 * Messages that belong to a change which is committed with them: a response to a decision, a notice of
 * a new version. They have to arrive, in the order in which they were prepared; what dies or fails in
 * between is made up for by the next sync. Receivers take a repetition for what it is.
 */
export class PreparedMessages {
	/** One at a time, so that none overtakes another. */
	private readonly line = new Limit(1);

	/** of this process, and not tried yet */
	private readonly fresh = new Set<string>();

	constructor(
		private readonly context: MessageContext,
		private readonly sending: MessageSending,
	) {}

	/** To be called before the transaction that prepares messages; notifications may name no peers. */
	async ready(peers: readonly string[], options: Cancellable): Promise<void> {
		await this.context.beforeSealing(peers, options);
	}

	/**
	 * @param content parsed content of one of the types of docs/protocol/content.md 11
	 * @param idempotencyKey under which {@link findEarlier} finds it from then on
	 * @throws `error.transport.messages.missingOrInactiveRelationship`,
	 * `error.runtime.messages.peerIsInDeletion`, `error.transport.messages.peerIsDeleted`
	 */
	async prepare(
		tx: WriteTransaction,
		peer: string,
		content: JsonObject,
		idempotencyKey?: string,
	): Promise<PreparedMessage> {
		const message = { recipients: [peer], content, attachments: [] };
		const named = idempotencyKey === undefined ? {} : { idempotencyKey };
		const { record } = await this.sending.prepare(tx, message, { mustArrive: true, ...named });
		return {
			intentId: record.id,
			send: async (options) => {
				this.fresh.add(record.id);
				await this.deliverUpTo(record, options);
			},
		};
	}

	/**
	 * What was prepared under that key: `sent`, with the id of the message, or still waiting, with its
	 * content. What was refused for good is forgotten, so that it can be prepared anew.
	 */
	async findEarlier(
		tx: WriteTransaction,
		idempotencyKey: string,
	): Promise<EarlierMessage | undefined> {
		const entry = await tx.sendIntents.first({
			where: [{ field: 'idempotencyKey', op: 'eq', value: idempotencyKey }],
		});
		if (entry === undefined) return undefined;
		const { id, state, messageId = '', content } = entry.record;
		if (state === 'sent') return { state, messageId };
		if (state === 'failed') {
			await tx.sendIntents.delete(id);
			return undefined;
		}
		const send = async (options: Cancellable): Promise<void> => {
			await this.deliverUpTo(entry.record, options);
		};
		return { state: 'waiting', content, message: { intentId: id, send } };
	}

	/** Whether the message waits for its sending, or for its outcome. */
	async isWaiting(intentId: string, options: Cancellable): Promise<boolean> {
		const entry = await this.context.store.read((tx) => tx.sendIntents.get(intentId), options);
		return entry?.record.state === 'prepared';
	}

	/** Tries again whatever waits; answers the ids of the messages that were sent. */
	async deliverWaiting(attempts: UnfinishedAttempts, options: Cancellable): Promise<string[]> {
		return await this.line.run(async () => {
			const sent: string[] = [];
			const blocked = new Set<string>();
			for (const intent of await this.waiting(options)) {
				throwIfAborted(options);
				const { id } = intent.record;
				const peers = peersOf(intent.record);
				if (peers.some((peer) => blocked.has(peer))) continue;
				const { isOpen, result } = await attempts.attempt({ row: 'sendIntents', id }, () =>
					this.deliverIfFree(intent, options),
				);
				if (isOpen || result === 'busy') for (const peer of peers) blocked.add(peer);
				else if (result !== undefined) sent.push(result);
			}
			return sent;
		});
	}

	/** The wanted one after whatever waits for its peers, also when the next try is to come later. */
	private async deliverUpTo(wanted: SendIntentRecord, options: Cancellable): Promise<void> {
		const wantedPeers = peersOf(wanted);
		await this.line.run(async () => {
			const blocked = new Set<string>();
			for (const intent of await this.waiting(options)) {
				throwIfAborted(options);
				const peers = peersOf(intent.record);
				const isWanted = intent.record.id === wanted.id;
				const isBefore = peers.some((peer) => wantedPeers.includes(peer));
				if (!isBefore && intent.record.retry?.notBefore !== undefined) continue;
				if (peers.some((peer) => blocked.has(peer))) {
					if (isWanted) throw outcomeUnknown(intent.record);
					continue;
				}
				try {
					await this.deliver(intent, options);
				} catch (error) {
					if (codeOf(error) === outcomeUnknownCode) for (const peer of peers) blocked.add(peer);
					throwIfAborted(options);
					if (isWanted) throw error;
					this.report(intent.record, error);
				}
			}
		});
	}

	private async waiting(options: Cancellable): Promise<SendIntent[]> {
		const prepared = await this.context.store.read(
			(tx) => tx.sendIntents.list({ where: [{ field: 'state', op: 'eq', value: 'prepared' }] }),
			options,
		);
		return prepared.filter(({ record }) => record.mustArrive === true);
	}

	private async deliver(intent: SendIntent, options: Cancellable): Promise<string> {
		const outcome = await this.deliverIfFree(intent, options);
		if (outcome === 'busy') throw outcomeUnknown(intent.record);
		return outcome;
	}

	/** Answers the id of the message; `busy` while another process may be at it. */
	private async deliverIfFree(intent: SendIntent, options: Cancellable): Promise<string> {
		const { record } = intent;
		const { sending } = this;
		if (this.fresh.delete(record.id)) return (await sending.deliver(intent, options)).id;
		const found = await sending.search.find(record, options);
		if (found !== undefined) return (await sending.complete(intent, found)).id;
		const claimed = await sending.claims.claimNext(record);
		if (claimed === undefined) return 'busy';
		return (await sending.deliver(claimed, options)).id;
	}

	private report({ id }: SendIntentRecord, error: unknown): void {
		const facts = { intentId: id, code: codeOf(error), reason: String(error) };
		this.context.logger.warn('a message that waits could not be sent', facts);
	}
}

function peersOf({ recipients }: SendIntentRecord): string[] {
	return recipients.map(({ address }) => address);
}
