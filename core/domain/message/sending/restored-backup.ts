import type { Cancellable } from '../../../base/abort';
import { isGatewayError } from '../../../base/errors';
import { SingleFlight } from '../../../base/single-flight';
import type { UnreadableItem } from '../../../backbone/port/backbone';
import type { WireMessage } from '../../../backbone/dto';
import { readCipherField } from '../../../crypto/json-forms';
import { lowestByClock, transmitCounters } from '../../relationship/transmit-counter';
import type { MessageDependencies } from '../message-dependencies';
import { openSends } from './send-states';
import { newestMessages, sealedBodyHash } from './sent-messages';

/** number of messages to inspect before the counters of the lost ones are estimated */
const longestSearch = 2_000;
/**
 * Limit for counters that the Backbone names; higher ones are ignored, because a hostile Backbone could
 * exhaust the rest.
 */
const believableCounter = 2 ** 31;
/** margin on the clock-based counter when the counters of lost messages are unknown */
const cautionMargin = 2 ** 16;

interface LostMessages {
	/** time of the newest message; the next check goes back no further */
	readonly newestAt: string | undefined;
	/** lowest counter that no lost message has used; undefined when the store has lost nothing */
	readonly nextCounter: number | undefined;
}

/**
 * Detects a store that was restored from an old backup: the Backbone has messages of this account that the
 * store does not know. All counters are then raised above the counters of the lost messages
 * (`docs/adr/0026`). The
 * check runs before the first sync and the first encryption after each connection to the database.
 */
export class RestoredBackupGuard {
	/** `reconnections` of the store at the last check */
	private checkedAfter: number | undefined;

	private readonly flight = new SingleFlight<void>();

	constructor(private readonly context: Omit<MessageDependencies, 'beforeSealing'>) {}

	/** @throws errors of the Backbone while its messages are listed */
	async check(options: Cancellable): Promise<void> {
		const { store } = this.context;
		if (this.checkedAfter === store.reconnections) return;
		await this.flight.run(async () => {
			const { reconnections } = store;
			await this.checkNow(options);
			this.checkedAfter = reconnections;
		}, options);
	}

	/**
	 * Checks for a sync, which goes on if the check fails: the sync only receives messages, while only sent
	 * messages use counters.
	 */
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
				// Without relationships, no counter was ever used for encryption.
				isFresh: (await tx.relationships.first()) === undefined,
				checkedTo: (await tx.syncState.get('sync'))?.record.ownMessagesCheckedTo,
			}),
			options,
		);
		if (before.isFresh) return;
		const { newestAt, nextCounter } = await this.findLostMessages(before.checkedTo, options);
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
				// External events since the backup were delivered to the lost store, so the next sync compares all
				// objects.
				...(nextCounter === undefined ? {} : { reconciliationNeeded: true }),
			});
		});
	}

	/**
	 * Walks back to the newest message of this account that the store knows, which is older than the backup, or
	 * to the start of the last check. Received messages prove nothing: a sync may have stored them since.
	 */
	private async findLostMessages(
		checkedTo: string | undefined,
		options: Cancellable,
	): Promise<LostMessages> {
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
			if (++seen >= longestSearch) {
				nextCounter = Math.max(nextCounter ?? 0, this.cautiousCounter());
				break;
			}
		}
		return { newestAt, nextCounter };
	}

	/** True when the message is stored, or its send is open and has its counters reserved. */
	private async isKnown(message: WireMessage | UnreadableItem): Promise<boolean> {
		return await this.context.store.read(async (tx) => {
			if ((await tx.messages.get(message.id ?? '')) !== undefined) return true;
			if ('problem' in message) return false;
			const open = await tx.sendIntents.list({ where: openSends });
			return open.some(({ record }) => record.bodyHash === sealedBodyHash(message.body));
		});
	}

	/** Reads the counters, which are not encrypted, and returns the number after the highest. */
	private counterAfter(message: WireMessage | UnreadableItem): number {
		if ('problem' in message) return this.cautiousCounter();
		const counters = message.recipients.map(({ encryptedKey }) => {
			try {
				return readCipherField(encryptedKey).cnt ?? 0;
			} catch {
				// Unknown form: this account did not write the message.
				return 0;
			}
		});
		return Math.max(0, ...counters.filter((counter) => counter < believableCounter)) + 1;
	}

	private cautiousCounter(): number {
		return lowestByClock(this.context) + cautionMargin;
	}
}

function isBefore(instant: string, other: string | undefined): boolean {
	return other !== undefined && Date.parse(instant) < Date.parse(other);
}
