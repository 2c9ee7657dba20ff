import * as z from 'zod';
import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { parse } from '../../base/schema-parse';
import { ownJson } from '../../model/json';
import type { WriteTransaction } from '../../store/store';
import { hashPeerAddress, keepForAWeek } from '../left-peer';
import { Tally } from './tally';
import type { Needs } from '../needs';

/** run id that separates these inbox rows from events; handled rows are deleted after a week */
const runId = 'erasure';

const counts = z.array(z.object({ kind: z.string(), count: z.number().int() }));

const stateSchema = z.object({
	/** relationships with the person before the first decomposition */
	relationships: z.number().int(),
	/** own files that were attached to messages to the person, and to no other message */
	sentFiles: z.array(z.string()),
	/** executions of n8n that waited for the person */
	waits: z.number().int(),
	/** events that named the person */
	events: z.number().int(),
	/** what was erased, or is erased by the decomposition, by kind */
	erased: counts,
	/** what named the person and names a pseudonym now, by kind */
	mentions: counts,
});

type State = z.infer<typeof stateSchema>;

/** What an erasure knows before it removes something. */
export type ErasurePlan = Omit<State, 'erased' | 'mentions'> & { readonly erased: Tally };

/**
 * What an erasure has found and done, stored for a week, so that a repeated call gives the whole
 * receipt, wherever the first one was interrupted. A hash stands for the address.
 */
export class ErasureProgress {
	readonly erased: Tally;
	readonly mentions: Tally;

	private constructor(
		private readonly dependencies: Needs<'store' | 'clock'>,
		private readonly address: string,
		readonly plan: Omit<State, 'erased' | 'mentions'>,
		{ erased, mentions }: { readonly erased: Tally; readonly mentions: Tally },
	) {
		this.erased = erased;
		this.mentions = mentions;
	}

	/** The progress of an interrupted erasure of the person. */
	static async find(
		dependencies: Needs<'store' | 'clock'>,
		address: string,
		options: Cancellable,
	): Promise<ErasureProgress | undefined> {
		const row = await dependencies.store.read((tx) => tx.inbox.get(idOf(address)), options);
		if (row === undefined) return undefined;
		const { erased, mentions, ...plan } = parse(stateSchema, row.record.payload);
		const tallies = { erased: new Tally(erased), mentions: new Tally(mentions) };
		return new ErasureProgress(dependencies, address, plan, tallies);
	}

	/** Stores a plan, in place of an earlier one. */
	static async begin(
		dependencies: Needs<'store' | 'clock'>,
		address: string,
		{ erased, ...plan }: ErasurePlan,
		options: Cancellable,
	): Promise<ErasureProgress> {
		const tallies = { erased, mentions: new Tally() };
		const progress = new ErasureProgress(dependencies, address, plan, tallies);
		await dependencies.store.transact((tx) => progress.save(tx, tallies), options);
		return progress;
	}

	/**
	 * Does a part of the erasure in a transaction that also stores how many records it was.
	 *
	 * @param work answers the number of records that count
	 */
	async step<Result extends { readonly count: number }>(
		tally: 'erased' | 'mentions',
		kind: string,
		work: (tx: WriteTransaction) => Promise<Result>,
		options: Cancellable,
	): Promise<Result> {
		const done = await this.dependencies.store.transact(async (tx) => {
			const result = await work(tx);
			if (result.count === 0) return result;
			const further = new Tally(this[tally].list());
			further.add(kind, result.count);
			await this.save(tx, { erased: this.erased, mentions: this.mentions, [tally]: further });
			return result;
		}, options);
		this[tally].add(kind, done.count);
		return done;
	}

	/** Removes the row of a person of whom no other hash is kept. */
	async forget(options: Cancellable): Promise<void> {
		await this.dependencies.store.transact((tx) => tx.inbox.delete(idOf(this.address)), options);
	}

	private async save(
		tx: WriteTransaction,
		{ erased, mentions }: { readonly erased: Tally; readonly mentions: Tally },
	): Promise<void> {
		const state: State = { ...this.plan, erased: erased.list(), mentions: mentions.list() };
		await keepForAWeek(tx, {
			id: idOf(this.address),
			runId,
			type: 'ErasureBegun',
			createdAt: isoInstant(this.dependencies.clock.now()),
			payload: ownJson(state),
		});
	}
}

function idOf(address: string): string {
	return `erasure:${hashPeerAddress(address)}`;
}
