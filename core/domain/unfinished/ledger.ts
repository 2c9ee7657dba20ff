import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import { newLeaseHolder } from '../../base/lease/lease-holder';
import { systemRandom } from '../../base/random';
import type { WorkKind, WorkRecord } from '../../model/record/work';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { reportAfterMs, workDelaysMs } from './back-off';
import { matching } from '../query/conditions';
import type { Needs } from '../needs';

/** time for which a claim keeps other processes away; no call to the Backbone takes longer */
const claimMs = 2 * 60_000;

type Reader = Pick<ReadTransaction, 'work'>;
type Writer = Pick<WriteTransaction, 'work'>;

export interface NewWork extends Pick<WorkRecord, 'id' | 'kind' | 'since' | 'claim'> {
	/** earliest attempt by a sync; absent for an immediate one */
	readonly dueAt?: string;
}

/**
 * Opens work, or begins it anew. Work of the same kind that is open already keeps its failures;
 * other work about the same object is replaced.
 */
export async function openWork(tx: Writer, { dueAt = '', ...work }: NewWork): Promise<void> {
	const known = (await tx.work.get(work.id))?.record;
	const opened = { ...work, state: 'waiting', dueAt, attempts: 0 } as const;
	if (known === undefined) await tx.work.insert(opened, undefined);
	else if (known.kind !== work.kind) await tx.work.update(opened);
	else await tx.work.update({ ...known, ...opened, attempts: known.attempts });
}

/**
 * Opens work, and forgets earlier work about the same object. The store need not answer in between.
 */
export async function replaceWork(tx: Writer, { dueAt = '', ...work }: NewWork): Promise<void> {
	await tx.work.delete(work.id);
	await tx.work.insert({ ...work, state: 'waiting', dueAt, attempts: 0 }, undefined);
}

/** Open work of the given kinds, in the order in which it was opened. */
export async function workOf(tx: Reader, kinds: readonly WorkKind[]): Promise<WorkRecord[]> {
	const found = await tx.work.list({ where: matching({ kind: kinds }) });
	return found.map(({ record }) => record);
}

/** Work whose next attempt is due, in the order in which it was opened. */
export async function dueWork(tx: Reader, now: number): Promise<WorkRecord[]> {
	const found = await tx.work.list({
		where: [
			...matching({ state: 'waiting' }),
			{ field: 'dueAt', op: 'lte', value: isoInstant(now) },
		],
	});
	return found.map(({ record }) => record);
}

/** Returns the open work about the object if it is of one of the given kinds. */
export async function findWork(
	tx: Reader,
	id: string,
	kinds: readonly WorkKind[],
): Promise<WorkRecord | undefined> {
	const work = (await tx.work.get(id))?.record;
	return work !== undefined && kinds.includes(work.kind) ? work : undefined;
}

export function isDue({ state, dueAt }: WorkRecord, now: number): boolean {
	return state === 'waiting' && dueAt <= isoInstant(now);
}

/** Delays the next attempt without counting a failure, because another step has to come first. */
export async function postponeWork(
	tx: Writer,
	id: string,
	delayMs: number,
	now: number,
): Promise<void> {
	const work = (await tx.work.get(id))?.record;
	if (work === undefined) return;
	const { isWanted: _wanted, ...rest } = work;
	await tx.work.update({ ...rest, dueAt: isoInstant(now + delayMs) });
}

/** Makes the next attempt due at once, at a person's request. */
export function wantedNow(work: WorkRecord): WorkRecord {
	return { ...work, state: 'waiting', dueAt: '', isWanted: true };
}

/** Leaves the work to a person: no attempt follows by itself. */
export function parked(work: WorkRecord, error: unknown, now: number): WorkRecord {
	return { ...failed(work, error, now), state: 'parked' };
}

/** Counts a failure and plans the next attempt. */
export function failed(work: WorkRecord, error: unknown, now: number): WorkRecord {
	const { isWanted: _wanted, claim: _claim, ...rest } = work;
	const since = work.failure?.since ?? isoInstant(now);
	const delayMs = workDelaysMs[work.attempts] ?? workDelaysMs.at(-1) ?? 0;
	const isLong = now - Date.parse(since) >= reportAfterMs || work.attempts >= workDelaysMs.length;
	return {
		...rest,
		dueAt: delayMs === 0 ? '' : isoInstant(now + delayMs),
		attempts: work.attempts + 1,
		failure: { since, ...reasonOf(error) },
		...(isLong ? { isReported: true as const } : {}),
	};
}

function reasonOf(error: unknown): { code: string; message: string } {
	return isGatewayError(error)
		? { code: error.code, message: error.message }
		: { code: 'error.transport.unknown', message: 'The change could not be finished.' };
}

export type LedgerDependencies = Needs<'store' | 'clock'>;

/** Claims on unfinished work: one process at a time tries it (docs/adr/0040). */
export class Ledger {
	private readonly owner = newLeaseHolder(systemRandom);

	constructor(private readonly dependencies: LedgerDependencies) {}

	/** Opens work that this process tries at once, with {@link whileClaimed}. */
	async begin(
		tx: WriteTransaction,
		id: string,
		kind: WorkKind,
		open: typeof openWork = replaceWork,
	): Promise<void> {
		const since = isoInstant(this.dependencies.clock.now());
		await open(tx, { id, kind, since, claim: this.newClaim(tx) });
	}

	/** Runs the attempt at begun work. Syncs try the work again if it fails and is still open. */
	async whileClaimed<Result>(id: string, attempt: () => Promise<Result>): Promise<Result> {
		try {
			return await attempt();
		} catch (error) {
			// The claim expires by itself if the store does not answer.
			await this.release(id, {}).catch(() => undefined);
			throw error;
		}
	}

	/** Claims work for an attempt; undefined if it has ended, is not due, or another attempt runs. */
	async claim(
		id: string,
		{ isAlwaysDue = false, ...options }: Cancellable & { readonly isAlwaysDue?: boolean },
	): Promise<WorkRecord | undefined> {
		const { store, clock } = this.dependencies;
		return await store.transact(async (tx) => {
			const work = (await tx.work.get(id))?.record;
			if (work === undefined || work.state === 'parked') return undefined;
			if (!isAlwaysDue && !isDue(work, clock.now())) return undefined;
			if (await this.isClaimed(tx, work)) return undefined;
			await tx.work.update({ ...work, claim: this.newClaim(tx) });
			return work;
		}, options);
	}

	/** Ends a claim; the work is open as before. */
	async release(id: string, options: Cancellable): Promise<void> {
		await this.settle(id, options, ({ claim: _claim, ...rest }) => rest);
	}

	/**
	 * Ends the claim of a successful attempt. Work that goes on, and has planned nothing, is due at
	 * once.
	 */
	async succeed(id: string, options: Cancellable): Promise<void> {
		const now = this.dependencies.clock.now();
		await this.settle(id, options, ({ claim: _claim, ...work }) => {
			if (!isDue(work, now)) return work;
			const { failure: _failure, isReported: _reported, isWanted: _wanted, ...rest } = work;
			return { ...rest, dueAt: '', attempts: 0 };
		});
	}

	private async settle(
		id: string,
		options: Cancellable,
		change: (work: WorkRecord) => WorkRecord,
	): Promise<void> {
		const { store } = this.dependencies;
		if ((await store.read((tx) => tx.work.get(id), options)) === undefined) return;
		await store.transact(async (tx) => {
			const work = (await tx.work.get(id))?.record;
			// Another process that has taken the work over keeps its claim.
			const isOwn = work?.claim === undefined || work.claim.by === tx.leases.mark(this.owner);
			if (work !== undefined && isOwn) await tx.work.update(change(work));
		}, options);
	}

	private newClaim(tx: WriteTransaction): NonNullable<WorkRecord['claim']> {
		const until = isoInstant(this.dependencies.store.clock.now() + claimMs);
		return { by: tx.leases.mark(this.owner), until };
	}

	/** A claim ends with its time, or with its process. */
	private async isClaimed(tx: ReadTransaction, { claim }: WorkRecord): Promise<boolean> {
		if (claim === undefined) return false;
		if (claim.until <= isoInstant(this.dependencies.store.clock.now())) return false;
		return !(await tx.leases.isGone(claim.by));
	}
}
