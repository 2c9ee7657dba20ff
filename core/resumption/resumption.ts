import { isAbort, sleep } from '../base/abort';
import { backOffMs } from '../base/back-off';
import { isoInstant } from '../base/clock';
import { removeWait } from '../domain/wait/group-wait';
import { waitErrors } from '../domain/wait/wait-errors';
import type { WakeUp } from '../events/wake-up';
import type { EventUseCases } from '../facade/events';
import type { WaitRecord } from '../model/record/wait';
import type { ReadTransaction, WriteTransaction } from '../store/store';
import { followUpOf, type FollowUpDependencies } from './follow-ups';
import { ResumeCaller, type ResumeAnswer } from './resume-call';
import { WaitNews } from './wait-news';

export interface ResumptionDependencies extends FollowUpDependencies {
	readonly wakeUp: WakeUp;
	readonly keepSynced: EventUseCases['keepSynced'];
	readonly openCaller?: () => Promise<Pick<ResumeCaller, 'resume' | 'close'>>;
}

type Resumable = WaitRecord & Required<Pick<WaitRecord, 'outcome' | 'resumption'>>;

/** Interval of syncs while something waits, for Backbones without push. */
const syncIntervalMs = 60_000;
/**
 * time for which a call is reserved for the process that makes it; longer than both addresses take
 */
const claimMs = 30_000;
/** delay before the call that confirms that n8n has continued the execution */
const confirmAfterMs = 5_000;
const backOff = { firstMs: 500, longestMs: 60_000 };
/**
 * Time after which an execution that n8n does not know counts as deleted, and an execution that n8n
 * fails to continue although it has the outcome counts as crashed. The row of an execution is
 * written within moments after the node has run. n8n does not answer with status 500 while its
 * database is away.
 */
const missingForGoodMs = 10 * 60_000;
const callsAtOnce = 10;
/** waits that are read to find the next calls */
const dueAtOnce = 200;
/** pause between looks while nothing waits */
const idleMs = 1_000;

/**
 * Resumes the executions whose waits have ended, each at least once (docs/adr/0028). The outcome is
 * committed before the first call; the record stays until another call confirms that n8n has
 * continued the execution, because n8n answers before it stores that it does. A repeated call
 * resumes nothing: n8n refuses it while the execution runs and after it has ended, and the node
 * refuses it when the execution waits for something else.
 */
export class Resumption {
	/** calls in progress by the key of their wait */
	private readonly calling = new Map<string, Promise<void>>();

	/**
	 * Calls in a row with which this process did not reach n8n, and the end of its pause. Another
	 * process may reach n8n: workers often do not know the address of the main process.
	 */
	private away = { calls: 0, until: 0 };

	/** true while the store fails, which is reported once */
	private isFailing = false;

	private readonly news: WaitNews;

	private caller: Promise<Pick<ResumeCaller, 'resume' | 'close'>> | undefined;

	private syncing: { release(): Promise<void> } | undefined;

	constructor(private readonly parts: ResumptionDependencies) {
		this.news = new WaitNews(parts);
	}

	/** Works until the signal aborts, then returns. */
	async run(signal: AbortSignal): Promise<void> {
		const { wakeUp } = this.parts;
		try {
			while (!signal.aborted) {
				const since = wakeUp.count;
				const isWaiting = await this.look(signal);
				// Without waits, events are no reason to look: a new wait is noticed soon enough.
				if (isWaiting) await wakeUp.wait(since, signal);
				else await sleep(idleMs, { signal, background: true });
			}
		} catch (error) {
			if (!signal.aborted) throw error;
		} finally {
			await Promise.allSettled(this.calling.values());
			await this.syncWhile(false);
			const { caller } = this;
			this.caller = undefined;
			await (await caller)?.close();
		}
	}

	/** Returns whether anything waits. A failing store is reported once. */
	private async look(signal: AbortSignal): Promise<boolean> {
		const { store, logger } = this.parts;
		try {
			const first = await store.read((tx) => tx.waits.first(), { signal });
			const isWaiting = first !== undefined;
			await this.syncWhile(isWaiting);
			if (isWaiting) await this.attend(signal);
			else this.news.forget();
			this.isFailing = false;
			return isWaiting;
		} catch (error) {
			signal.throwIfAborted();
			if (!this.isFailing) {
				logger.warn('waiting executions could not be read', { reason: String(error) });
			}
			this.isFailing = true;
			return false;
		}
	}

	/** Stores new outcomes, and begins the calls and reminders that are due. */
	private async attend(signal: AbortSignal): Promise<void> {
		while (await this.news.apply(signal));
		const due = await this.parts.store.read((tx) => this.readDue(tx), { signal });
		for (const wait of due) {
			const followUp = followUpOf(wait, isoInstant(this.parts.store.clock.now()));
			if (followUp === undefined) await this.begin(wait, signal);
			else await followUp(wait, this.parts, signal);
		}
	}

	/** Reads the waits that need a call or a reminder now, as many as calls may begin. */
	private async readDue(tx: ReadTransaction): Promise<WaitRecord[]> {
		const nowMs = this.parts.store.clock.now();
		const free = callsAtOnce - this.calling.size;
		if (free <= 0) return [];
		const entries = await tx.waits.list({
			where: [{ field: 'dueAt', op: 'lte', value: isoInstant(nowMs) }],
			orderBy: { field: 'dueAt', direction: 'asc' },
			limit: dueAtOnce,
		});
		const isAway = nowMs < this.away.until;
		return entries
			.map(({ record }) => record)
			.filter(({ key, resumption }) => !this.calling.has(key) && (!isAway || resumption?.isWanted))
			.slice(0, free);
	}

	/** Keeps the account in sync while anything waits, without any published trigger. */
	private async syncWhile(isWaiting: boolean): Promise<void> {
		if (isWaiting) {
			this.syncing ??= this.parts.keepSynced({
				intervalMs: syncIntervalMs,
				push: true,
				// The sync loop logs its failures.
				onProblem: () => undefined,
			});
			return;
		}
		const ended = this.syncing;
		this.syncing = undefined;
		await ended?.release();
	}

	private async begin({ id, key }: WaitRecord, signal: AbortSignal): Promise<void> {
		if (this.calling.has(key)) return;
		const wait = await this.parts.store.transact((tx) => this.claim(tx, id, key), { signal });
		if (wait === undefined) return;
		const call = this.resume(wait, signal)
			.catch((error: unknown) => {
				if (isAbort(error, signal)) return;
				// The claim expires, and another call follows.
				this.parts.logger.warn('resuming an execution failed', { reason: String(error) });
			})
			.finally(() => {
				const othersWait = this.calling.size >= callsAtOnce;
				this.calling.delete(key);
				if (othersWait) this.parts.wakeUp.wake();
			});
		this.calling.set(key, call);
	}

	/** Reserves the next call for this process; undefined if there is nothing to call now. */
	private async claim(
		tx: WriteTransaction,
		id: string,
		key: string,
	): Promise<Resumable | undefined> {
		const stored = (await tx.waits.get(id))?.record;
		if (stored?.key !== key) return undefined;
		const wait = await this.parts.waits.decide(tx, stored);
		const { outcome, resumption } = wait;
		const nowMs = this.parts.store.clock.now();
		if (outcome === undefined || resumption === undefined) return undefined;
		if (resumption.notBefore > isoInstant(nowMs)) return undefined;
		const { isWanted: _wanted, ...rest } = resumption;
		const calls = resumption.calls + 1;
		const claimed = { ...rest, calls, notBefore: isoInstant(nowMs + claimMs) };
		await tx.waits.update({ ...wait, resumption: claimed });
		return { ...wait, outcome, resumption: claimed };
	}

	private async resume(wait: Resumable, signal: AbortSignal): Promise<void> {
		this.caller ??= (this.parts.openCaller ?? (() => ResumeCaller.open()))();
		const answer = await (await this.caller).resume(wait, { signal });
		this.noteReach(answer);
		await this.parts.store.transact((tx) => this.settle(tx, wait, answer));
	}

	private async settle(
		tx: WriteTransaction,
		called: Resumable,
		answer: ResumeAnswer,
	): Promise<void> {
		const wait = (await tx.waits.get(called.id))?.record;
		// The node has begun another wait in the meantime.
		if (wait?.key !== called.key || wait.resumption === undefined) return;
		const { logger, store } = this.parts;
		const nowMs = store.clock.now();
		const { failure: _failure, missingSince: _missing, ...resumption } = wait.resumption;
		if (answer.kind === 'taken') {
			const confirmAt = isoInstant(
				nowMs + Math.max(confirmAfterMs, this.pauseMs(resumption.calls)),
			);
			const taken = { ...resumption, isTaken: true as const, notBefore: confirmAt };
			await tx.waits.update({ ...wait, resumption: taken });
			return;
		}
		if (this.isGone(wait, answer, nowMs)) {
			await removeWait(tx, wait);
			if (resumption.isTaken === true && answer.kind !== 'failed') return;
			const facts = { wait: wait.id, kind: wait.kind, subject: wait.subject };
			logger.warn(goneBecause[answer.kind === 'failed' ? 'crashed' : 'missing'], facts);
			return;
		}
		const since = wait.resumption.failure?.since ?? isoInstant(nowMs);
		const notBefore = isoInstant(nowMs + this.pauseAfter(answer, resumption));
		const failure = { since, ...describe(answer) };
		const missingSince = wait.resumption.missingSince ?? isoInstant(nowMs);
		await tx.waits.update({
			...wait,
			resumption: {
				...{ ...resumption, notBefore, failure },
				...(mayBeGone(wait, answer) ? { missingSince } : {}),
			},
		});
	}

	private pauseAfter(
		{ kind }: ResumeAnswer,
		{ calls, isWanted }: NonNullable<WaitRecord['resumption']>,
	): number {
		// A person has wanted another call after this one began.
		if (isWanted === true) return 0;
		// A process that does not reach n8n pauses itself, and lets others try.
		return kind === 'away' ? backOff.firstMs : this.pauseMs(calls);
	}

	private noteReach({ kind }: ResumeAnswer): void {
		const calls = kind === 'away' ? this.away.calls + 1 : 0;
		const until = kind === 'away' ? this.parts.store.clock.now() + this.pauseMs(calls) : 0;
		this.away = { calls, until };
	}

	/** True if n8n will not continue the execution with this outcome, or has done so. */
	private isGone({ resumption }: WaitRecord, answer: ResumeAnswer, nowMs: number): boolean {
		if (answer.kind === 'over') return true;
		if (resumption?.isTaken === true && answer.kind !== 'away' && answer.kind !== 'failed') {
			return true;
		}
		const since = resumption?.missingSince;
		if (!mayBeGone({ resumption }, answer) || since === undefined) return false;
		return Date.parse(since) + missingForGoodMs <= nowMs;
	}

	private pauseMs(calls: number): number {
		return backOffMs(calls, backOff);
	}
}

/** Lines of the log for waits that are dropped. */
const goneBecause = {
	missing: 'an execution that waited for an answer no longer exists',
	crashed:
		'an execution has got its answer, and n8n ended while it ran; retry the execution in n8n, it goes on with the answer',
};

/**
 * True if n8n does not know the execution, or crashed while it ran with the outcome: n8n then
 * answers every call with status 500.
 */
function mayBeGone(
	{ resumption }: Pick<WaitRecord, 'resumption'>,
	{ kind }: ResumeAnswer,
): boolean {
	return kind === 'missing' || (kind === 'failed' && resumption?.isTaken === true);
}

function describe(answer: ResumeAnswer): { code: string; message: string } {
	if ('code' in answer) return { code: answer.code, message: answer.message };
	const message =
		answer.kind === 'missing'
			? 'n8n does not know the waiting execution.'
			: 'The execution is still running.';
	return { code: waitErrors.notResumed.code, message };
}
