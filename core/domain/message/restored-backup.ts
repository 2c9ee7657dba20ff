import type { Cancellable } from '../../base/abort';
import { SingleFlight } from '../../base/single-flight';
import type { MessageContext } from './message-context';
import { newestMessages, sealedBodyHash } from './sent-messages';

/** gaps in counters are harmless, a reused counter is not (docs/protocol/crypto-and-identity.md 7) */
const counterJump = 2 ** 20;
/** messages looked at before the question is answered with caution */
const lookBack = 200;

/**
 * Notices a store that was restored from an old backup: the Backbone knows own messages that the
 * store does not. Then every counter is moved past what may have been used (design, decision 19).
 * Asked once per process, before the first encryption.
 */
export class RestoredBackupGuard {
	private checked = false;

	private readonly flight = new SingleFlight<void>();

	constructor(private readonly context: Omit<MessageContext, 'beforeSealing'>) {}

	async check(options: Cancellable): Promise<void> {
		if (this.checked) return;
		await this.flight.run(async () => {
			if (await this.mayBeRestored(options)) await this.skipCounters();
			this.checked = true;
		});
	}

	/**
	 * The newest message at the Backbone that the store has was there before the backup was made, and
	 * with it all that is older; an own one among the newer ones was sent after it.
	 */
	private async mayBeRestored(options: Cancellable): Promise<boolean> {
		const { store, account } = this.context;
		const isFresh = await store.read(async (tx) => (await tx.relationships.count()) === 0, options);
		// Without relationships there is nobody a counter could have been used for.
		if (isFresh) return false;
		let seen = 0;
		for await (const message of newestMessages(this.context, options)) {
			if (await this.isKnown(message)) return false;
			if (message.createdBy === account.address) return true;
			if (++seen >= lookBack) return true;
		}
		return false;
	}

	/** Stored, or on its way: an interrupted send whose counters were reserved before the call. */
	private async isKnown(message: { id: string; body: string }): Promise<boolean> {
		return await this.context.store.read(async (tx) => {
			if ((await tx.messages.get(message.id)) !== undefined) return true;
			const open = await tx.sendIntents.list({
				where: [{ field: 'state', op: 'eq', value: 'prepared' }],
			});
			return open.some(({ record }) => record.bodyHash === sealedBodyHash(message.body));
		});
	}

	private async skipCounters(): Promise<void> {
		const { store, logger } = this.context;
		logger.warn('the store may be an old backup: encryption counters are moved forward');
		await store.transact(async (tx) => {
			await tx.counters.skip('transmit:', counterJump);
			// What happened since was told to the lost store: the next sync compares with the Backbone.
			const state = (await tx.syncState.get('sync'))?.record;
			if (state === undefined) return;
			await tx.syncState.update({ ...state, reconciliationNeeded: true });
		});
	}
}
