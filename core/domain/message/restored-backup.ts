import type { Cancellable } from '../../base/abort';
import { SingleFlight } from '../../base/single-flight';
import type { UnreadableItem } from '../../backbone/backbone';
import type { WireMessage } from '../../backbone/dto';
import { readCipherField } from '../../crypto/json-forms';
import type { MessageContext } from './message-context';
import { newestMessages, sealedBodyHash } from './sent-messages';

/** gaps in counters are harmless, a reused counter is not (docs/protocol/crypto-and-identity.md 7) */
const counterJump = 2 ** 20;
/** messages looked at before the question is answered with caution */
const lookBack = 2_000;
/** beyond it the Backbone is not believed: it could take all counters away from us */
const believableCounter = 2 ** 31;
const counterNames = 'transmit:';

/**
 * Notices a store that was restored from an old backup: the Backbone knows own messages that the
 * store does not. Then every counter is moved past what may have been used (design, decision 19), also
 * by another store that was restored from the same backup. Asked once per process, before the first
 * encryption.
 */
export class RestoredBackupGuard {
	private checked = false;

	private readonly flight = new SingleFlight<void>();

	constructor(private readonly context: Omit<MessageContext, 'beforeSealing'>) {}

	async check(options: Cancellable): Promise<void> {
		if (this.checked) return;
		await this.flight.run(async () => {
			const used = await this.usedSinceBackup(options);
			if (used !== undefined) await this.skipCounters(used);
			this.checked = true;
		});
	}

	/**
	 * The newest message at the Backbone that the store has was there before the backup was made, and
	 * with it all that is older; an own one among the newer ones was sent after it. Each life of the
	 * account begins above everything that the one before has used, so the newest own message shows how
	 * far the last one came.
	 *
	 * @returns a counter that was used, or undefined when the store has lost nothing
	 */
	private async usedSinceBackup(options: Cancellable): Promise<number | undefined> {
		const { store, account } = this.context;
		const isFresh = await store.read(async (tx) => (await tx.relationships.count()) === 0, options);
		// Without relationships there is nobody a counter could have been used for.
		if (isFresh) return undefined;
		let seen = 0;
		for await (const message of newestMessages(this.context, options)) {
			const isOwn = message.createdBy === account.address;
			if (await this.isKnown(message)) return undefined;
			// The counter of a message that cannot be read is unknown.
			if (isOwn) return 'problem' in message ? 0 : highestCounterIn(message);
			if (++seen >= lookBack) return 0;
		}
		return undefined;
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

	private async skipCounters(used: number): Promise<void> {
		const { store, logger } = this.context;
		logger.warn('the store may be an old backup: encryption counters are moved forward');
		await store.transact(async (tx) => {
			for (const { name, next } of await tx.counters.list()) {
				if (!name.startsWith(counterNames)) continue;
				await tx.counters.skip(name, counterJump + Math.max(0, used + 1 - next));
			}
			// What happened since was told to the lost store: the next sync compares with the Backbone.
			const state = (await tx.syncState.get('sync'))?.record;
			if (state === undefined) return;
			await tx.syncState.update({ ...state, reconciliationNeeded: true });
		});
	}
}

/** Our own ciphers name their counters in clear. */
function highestCounterIn({ recipients }: WireMessage): number {
	const counters = recipients.map(({ encryptedKey }) => {
		try {
			return readCipherField(encryptedKey).cnt ?? 0;
		} catch {
			// Not written by us, whatever the Backbone says.
			return 0;
		}
	});
	return Math.max(0, ...counters.filter((counter) => counter < believableCounter));
}
