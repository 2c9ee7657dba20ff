import { throwIfAborted, type Cancellable } from '../../../base/abort';
import { codeOf } from '../../../base/errors';
import { Semaphore } from '../../../base/semaphore';
import type { MessageDto, SendIntentRecord } from '../../../model/record/message';
import type { UnfinishedAttempts } from '../../unfinished/unfinished-attempts';
import type { MessageDependencies } from '../message-dependencies';
import { outcomeUnknown } from '../message-failures';
import type { MessageSending } from './message-sending';
import { openSends, sendStateOf, type SendIntent } from './send-states';

const outcomeUnknownCode = 'error.gateway.messages.outcomeUnknown';

/**
 * Delivers required messages to each peer in the order of their preparation: after a failure, later messages
 * to the same peer wait.
 */
export class RequiredDelivery {
	/** one message at a time, so that no message overtakes another */
	private readonly queue = new Semaphore();

	constructor(
		private readonly dependencies: MessageDependencies,
		private readonly sending: MessageSending,
	) {}

	/** Tries all required messages; returns the ids of the messages that were sent. */
	async deliverAll(attempts: UnfinishedAttempts, options: Cancellable): Promise<string[]> {
		return await this.queue.run(async () => {
			const sent: string[] = [];
			const blocked = new Set<string>();
			for (const intent of await this.waiting(options)) {
				const { id } = intent.record;
				const peers = peersOf(intent.record);
				if (peers.some((peer) => blocked.has(peer))) continue;
				const { isOpen, result } = await attempts.attempt({ row: 'sendIntents', id }, () =>
					this.deliver(intent, options),
				);
				if (result !== undefined) sent.push(result.id);
				else if (isOpen || (await this.isWaiting(id, options))) {
					for (const peer of peers) blocked.add(peer);
				}
			}
			return sent;
		});
	}

	/**
	 * Delivers one message after all earlier messages to its peers, even if their next attempt is planned for
	 * later.
	 *
	 * @throws `error.gateway.messages.outcomeUnknown`, and the refusal of the Backbone
	 */
	async deliverUpTo(wanted: SendIntentRecord, options: Cancellable): Promise<void> {
		const wantedPeers = peersOf(wanted);
		await this.queue.run(async () => {
			const blocked = new Set<string>();
			for (const intent of await this.waiting(options)) {
				const peers = peersOf(intent.record);
				const isWanted = intent.record.id === wanted.id;
				const isBefore = peers.some((peer) => wantedPeers.includes(peer));
				if (!isBefore && intent.record.retry?.notBefore !== undefined) continue;
				if (peers.some((peer) => blocked.has(peer))) {
					if (isWanted) throw outcomeUnknown(intent.record);
					continue;
				}
				try {
					if ((await this.deliver(intent, options)) === undefined) {
						throw outcomeUnknown(intent.record);
					}
				} catch (error) {
					if (codeOf(error) === outcomeUnknownCode) for (const peer of peers) blocked.add(peer);
					throwIfAborted(options);
					if (isWanted) throw error;
					this.report(intent.record, error);
				}
			}
		});
	}

	/** True while the message is still to be sent, or its outcome is unknown. */
	async isWaiting(id: string, options: Cancellable): Promise<boolean> {
		const entry = await this.dependencies.store.read((tx) => tx.sendIntents.get(id), options);
		return sendStateOf(entry?.record) === 'required';
	}

	private async waiting(options: Cancellable): Promise<SendIntent[]> {
		const open = await this.dependencies.store.read(
			(tx) => tx.sendIntents.list({ where: openSends }),
			options,
		);
		return open.filter(({ record }) => sendStateOf(record) === 'required');
	}

	/**
	 * Delivers one message; undefined while other work of this process, or another process, may be calling the
	 * Backbone.
	 */
	private async deliver(intent: SendIntent, options: Cancellable): Promise<MessageDto | undefined> {
		const { local } = this.sending;
		const isFirst = local.takeQueued(intent.record) && !local.isActive(intent.record.id);
		return isFirst
			? await this.sending.sendFirst(intent, options)
			: await this.sending.resume(intent, 'claim', options);
	}

	private report({ id }: SendIntentRecord, error: unknown): void {
		const facts = { intentId: id, code: codeOf(error), reason: String(error) };
		this.dependencies.logger.warn('a message that waits could not be sent', facts);
	}
}

function peersOf({ recipients }: SendIntentRecord): string[] {
	return recipients.map(({ address }) => address);
}
