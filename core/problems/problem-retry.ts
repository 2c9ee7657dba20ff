import type { Cancellable } from '../base/abort';
import { isoInstant } from '../base/clock';
import { parkedDeliveries, sendParkedAgain } from '../events/parked-deliveries';
import type { SendIntentRecord } from '../model/record/message';
import type { RetriedProblemDto } from '../model/record/problem';
import type { InboxEvent } from '../model/record/sync';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import { tryAgain } from '../sync/sync-inbox';
import type { ProblemDependencies } from './problem-dependencies';
import { unknownProblems } from './problem-errors';
import { sendingProblem } from './problem-list';
import {
	findUnfinished,
	judgeUnfinished,
	tryUnfinishedNow,
	trySendingNow,
} from './unfinished-problems';
import { isWait, judgeWait, resumeNow } from './wait-problems';

type Tried = Pick<RetriedProblemDto, 'outcome' | 'code' | 'message'>;

type Found = Pick<RetriedProblemDto, 'kind' | 'id'>;

/** Kinds that a sync retries; consumers and the resumption of executions do the others. */
const isSynced: Readonly<Record<Found['kind'], boolean>> = {
	receivedEvent: true,
	sending: true,
	unfinishedChange: true,
	delivery: false,
	wait: false,
};

/** Runs another attempt at the selected problems. */
export class ProblemRetry {
	constructor(
		private readonly deps: ProblemDependencies,
		private readonly ids: readonly string[],
	) {}

	async run(options: Cancellable): Promise<RetriedProblemDto[]> {
		const { store, wakeConsumers } = this.deps;
		const found = await store.transact(async (tx) => {
			const all = await this.find(tx);
			await this.ask(tx, all);
			return all;
		}, options);
		wakeConsumers();
		if (found.some(({ kind }) => isSynced[kind])) await this.sync(found, options);
		return await this.outcomes(found, options);
	}

	/** @throws `error.gateway.problems.unknown` before anything has changed */
	private async find(tx: ReadTransaction): Promise<Found[]> {
		const parked = new Set((await parkedDeliveries(tx)).map(({ id }) => id));
		const found: Found[] = [];
		const unknown: string[] = [];
		for (const id of this.ids) {
			if (parked.has(id)) found.push({ kind: 'delivery', id });
			else if ((await tx.inbox.get(id)) !== undefined) found.push({ kind: 'receivedEvent', id });
			else if ((await tx.sendIntents.get(id)) !== undefined) found.push({ kind: 'sending', id });
			else if ((await findUnfinished(tx, id)) !== undefined) {
				found.push({ kind: 'unfinishedChange', id });
			} else if (await isWait(tx, id)) found.push({ kind: 'wait', id });
			else unknown.push(id);
		}
		if (unknown.length > 0) throw unknownProblems(unknown);
		return found;
	}

	private async ask(tx: WriteTransaction, found: readonly Found[]): Promise<void> {
		for (const { kind, id } of found) {
			const event = kind === 'receivedEvent' ? await tx.inbox.get(id) : undefined;
			if (event !== undefined) await tryAgain(tx, event.record);
			const intent = kind === 'sending' ? await tx.sendIntents.get(id) : undefined;
			if (intent !== undefined) {
				await this.deps.messages.intents.request(tx, id);
				await trySendingNow(tx, id);
			}
			if (kind === 'unfinishedChange') await tryUnfinishedNow(tx, id);
			if (kind === 'wait') await resumeNow(tx, id, isoInstant(this.deps.store.clock.now()));
		}
		const deliveries = found.filter(({ kind }) => kind === 'delivery');
		await sendParkedAgain(
			tx,
			deliveries.map(({ id }) => id),
		);
	}

	/**
	 * Syncs a second time if work is still waiting, because a sync that was already in progress may
	 * have read it before the request.
	 */
	private async sync(found: readonly Found[], options: Cancellable): Promise<void> {
		await this.deps.sync(options);
		const outcomes = await this.outcomes(
			found.filter(({ kind }) => isSynced[kind]),
			options,
		);
		if (outcomes.some(({ outcome }) => outcome === 'waiting')) await this.deps.sync(options);
	}

	private async outcomes(
		found: readonly Found[],
		options: Cancellable,
	): Promise<RetriedProblemDto[]> {
		return await this.deps.store.read(async (tx) => {
			const outcomes: RetriedProblemDto[] = [];
			for (const { kind, id } of found) outcomes.push({ id, kind, ...(await judge(tx, kind, id)) });
			return outcomes;
		}, options);
	}
}

async function judge(tx: ReadTransaction, kind: Found['kind'], id: string): Promise<Tried> {
	if (kind === 'receivedEvent') return judgeEvent((await tx.inbox.get(id))?.record);
	if (kind === 'sending') return judgeSending((await tx.sendIntents.get(id))?.record);
	if (kind === 'unfinishedChange') return await judgeUnfinished(tx, id);
	if (kind === 'wait') return await judgeWait(tx, id);
	return { outcome: 'waiting', message: 'It is delivered again as soon as its consumer runs.' };
}

function judgeEvent(event: InboxEvent | undefined): Tried {
	// The event was discarded, or erased with its relationship.
	if (event === undefined || event.state === 'done') return { outcome: 'solved' };
	// The attempt failed: its next one is scheduled, or it was given up again.
	const isTried = event.state === 'parked' || event.notBefore !== undefined;
	return { outcome: isTried ? 'failed' : 'waiting', ...event.lastFailure };
}

function judgeSending(intent: SendIntentRecord | undefined): Tried {
	// Without an idempotency key, an intent is removed only when the message was sent or its
	// relationship decomposed.
	if (intent === undefined || intent.state === 'sent') return { outcome: 'solved' };
	if (intent.state === 'failed') return { outcome: 'failed', ...intent.failure };
	const { code, message } = sendingProblem(intent);
	return { outcome: 'waiting', ...(code === undefined ? {} : { code }), message };
}
