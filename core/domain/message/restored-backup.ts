import type { Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import { SingleFlight } from '../../base/single-flight';
import type { UnreadableItem } from '../../backbone/backbone';
import type { WireMessage } from '../../backbone/dto';
import { readCipherField } from '../../crypto/json-forms';
import { lowestByClock, transmitCounters } from '../relationship/transmit-counter';
import type { MessageContext } from './message-context';
import { newestMessages, sealedBodyHash } from './sent-messages';

/** messages looked at before the question is answered with caution */
const lookBack = 2_000;
/** Higher counters that the Backbone names are ignored: a hostile one could use up all that are left. */
const believableCounter = 2 ** 31;
/** added to the clock when the counters of lost messages are not known */
const caution = 2 ** 16;

interface Seen {
	/** the time of the newest message, from which the next check goes back no further */
	readonly newestAt: string | undefined;
	/** the lowest counter that no lost message used; undefined when the store has lost nothing */
	readonly nextCounter: number | undefined;
}

/**
 * Notices a store that was restored from an old backup: the Backbone knows own messages that the
 * store does not. Then every counter is moved past theirs (`docs/adr/0026`). Asked before the first
 * sync and the first encryption after each connection to the database.
 */
export class RestoredBackupGuard {
	/** `reconnections` of the store at the last check */
	private checkedAfter: number | undefined;

	private readonly flight = new SingleFlight<void>();

	constructor(private readonly context: Omit<MessageContext, 'beforeSealing'>) {}

	/** @throws what the Backbone answers instead of its messages */
	async check(options: Cancellable): Promise<void> {
		const { store } = this.context;
		if (this.checkedAfter === store.reconnections) return;
		await this.flight.run(async () => {
			const { reconnections } = store;
			await this.checkNow(options);
			this.checkedAfter = reconnections;
		}, options);
	}

	/** For a sync, which changes nothing about the answer: only own messages count. */
	async checkIfPossible(options: Cancellable): Promise<void> {
		try {
			await this.check(options);
		} catch (error) {
			if (!isGatewayError(error)) throw error;
			const { code } = error;
			this.context.logger.debug('whether the store is an old backup is asked again', { code });
		}
	}

	private async checkNow(options: Cancellable): Promise<void> {
		const { store, logger } = this.context;
		const before = await store.read(
			async (tx) => ({
				// Without relationships nothing was ever encrypted with a counter.
				isFresh: (await tx.relationships.first()) === undefined,
				checkedTo: (await tx.syncState.get('sync'))?.record.ownMessagesCheckedTo,
			}),
			options,
		);
		if (before.isFresh) return;
		const { newestAt, nextCounter } = await this.look(before.checkedTo, options);
		if (nextCounter !== undefined) {
			logger.warn('the store may be an old backup: encryption counters are moved forward');
		} else if (newestAt === undefined || newestAt === before.checkedTo) return;
		await store.transact(async (tx) => {
			if (nextCounter !== undefined) await tx.counters.raiseAll(transmitCounters, nextCounter);
			const state = (await tx.syncState.get('sync'))?.record;
			if (state === undefined) return;
			await tx.syncState.update({
				...state,
				...(newestAt === undefined ? {} : { ownMessagesCheckedTo: newestAt }),
				// What happened since was told to the lost store: the next sync compares with the Backbone.
				...(nextCounter === undefined ? {} : { reconciliationNeeded: true }),
			});
		});
	}

	/**
	 * Walks back to the newest own message that the store knows, which was there before the backup was
	 * made, or to where the last check began. Received messages say nothing: a sync may have brought them.
	 */
	private async look(checkedTo: string | undefined, options: Cancellable): Promise<Seen> {
		const { account } = this.context;
		let newestAt: string | undefined;
		let nextCounter: number | undefined;
		let seen = 0;
		for await (const message of newestMessages(this.context, options)) {
			if (!('problem' in message)) {
				newestAt ??= message.createdAt;
				if (isBefore(message.createdAt, checkedTo)) break;
			}
			if ((message.createdBy ?? account.address) === account.address) {
				if (await this.isKnown(message)) break;
				nextCounter = Math.max(nextCounter ?? 0, this.counterAfter(message));
			}
			if (++seen >= lookBack) {
				nextCounter = Math.max(nextCounter ?? 0, this.cautiousCounter());
				break;
			}
		}
		return { newestAt, nextCounter };
	}

	/** Stored, or on its way: an interrupted send whose counters were reserved before the call. */
	private async isKnown(message: WireMessage | UnreadableItem): Promise<boolean> {
		return await this.context.store.read(async (tx) => {
			if ((await tx.messages.get(message.id ?? '')) !== undefined) return true;
			if ('problem' in message) return false;
			const open = await tx.sendIntents.list({
				where: [{ field: 'state', op: 'eq', value: 'prepared' }],
			});
			return open.some(({ record }) => record.bodyHash === sealedBodyHash(message.body));
		});
	}

	/** Our own ciphers name their counters in clear. */
	private counterAfter(message: WireMessage | UnreadableItem): number {
		if ('problem' in message) return this.cautiousCounter();
		const counters = message.recipients.map(({ encryptedKey }) => {
			try {
				return readCipherField(encryptedKey).cnt ?? 0;
			} catch {
				// Not written by us, whatever the Backbone says.
				return 0;
			}
		});
		return Math.max(0, ...counters.filter((counter) => counter < believableCounter)) + 1;
	}

	private cautiousCounter(): number {
		return lowestByClock(this.context) + caution;
	}
}

function isBefore(instant: string, other: string | undefined): boolean {
	return other !== undefined && Date.parse(instant) < Date.parse(other);
}
