import { createHash, createHmac } from 'node:crypto';
import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import { newLeaseHolder } from '../../base/lease/lease-holder';
import { keyBytes } from '../../crypto/keys';
import type {
	IdempotencyUseCases,
	RepeatableCall,
	RepeatableWork,
} from '../../facade/http/idempotency';
import type {
	CreatedRecord,
	IdempotencyKeyRecord,
	StoredAnswer,
} from '../../model/record/http/idempotency-key';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import type { Account } from '../identity/account';
import type { Observer } from '../observers';
import { idempotencyErrors } from './idempotency-errors';
import type { Needs } from '../needs';

const keptMs = 24 * 3_600_000;
const mostKeys = 10_000;
const expiredPerSlice = 200;
/** characters of a body in Base64 up to which an answer is stored */
const longestBody = 256 * 1024;
/** time for which a call keeps other processes away, unless its process is known to be gone */
const claimMs = 10 * 60_000;
const purpose = 'n8n-nodes-enmeshed: idempotency key of a caller';

export interface IdempotencyDependencies extends Needs<'store' | 'clock' | 'random' | 'logger'> {
	readonly account: Pick<Account, 'deviceKeys'>;
}

type Beginning =
	| { readonly kind: 'run' }
	| { readonly kind: 'answered'; readonly answer: StoredAnswer }
	| { readonly kind: 'repeat'; readonly created: readonly CreatedRecord[] };

/**
 * Calls under idempotency keys (docs/adr/0049). The key is stored before the call runs. The
 * transactions of the call note in its row what they create, so a process that dies before the
 * answer leaves enough to answer a repetition.
 */
export class IdempotencyService implements IdempotencyUseCases, Observer<'relationshipDecomposed'> {
	private readonly holder: string;

	/** ids of the keys whose calls run in this process */
	private readonly running = new Set<string>();

	constructor(private readonly dependencies: IdempotencyDependencies) {
		this.holder = newLeaseHolder(dependencies.random);
	}

	async once(
		{ caller, key, request }: RepeatableCall,
		work: RepeatableWork,
		options: Cancellable = {},
	): Promise<{ answer: StoredAnswer; isRepeated: boolean }> {
		const id = this.idOf(caller, key);
		const fingerprint = createHash('sha256').update(request).digest('base64url');
		if (this.running.has(id)) throw inProgress();
		this.running.add(id);
		try {
			const begun = await this.begin(id, fingerprint, options);
			if (begun.kind === 'answered') return { answer: begun.answer, isRepeated: true };
			const repeated =
				begun.kind === 'repeat' ? await this.repeat(id, begun.created, work) : undefined;
			// The fingerprint keeps a key that is used anew after a day from finding an old message.
			const answer = repeated ?? (await this.run(id, () => work.run(`http:${id}:${fingerprint}`)));
			await this.keep(id, answer);
			return { answer, isRepeated: repeated !== undefined };
		} finally {
			this.running.delete(id);
		}
	}

	/** Forgets answers, which may contain data of the person; created records are read anew. */
	async relationshipDecomposed(tx: WriteTransaction): Promise<void> {
		for (const { record } of await tx.idempotencyKeys.list()) {
			if (record.isAnswered) await tx.idempotencyKeys.update(record, {});
		}
	}

	/** Deletes expired keys, one slice per call. */
	retention(clock: Clock): () => Promise<boolean> {
		return async () => {
			const { store } = this.dependencies;
			const expired = await store.read((tx) => expiredKeys(tx, clock.now()));
			if (expired.length === 0) return false;
			await store.transact((tx) => deleteKeys(tx, expired));
			return expired.length === expiredPerSlice;
		};
	}

	/** Hides which keys and callers there are from readers of the database. */
	private idOf(caller: string, key: string): string {
		const { privateKey } = this.dependencies.account.deviceKeys;
		const secret = createHmac('sha256', keyBytes(privateKey)).update(purpose).digest();
		return createHmac('sha256', secret)
			.update(JSON.stringify([caller, key]))
			.digest('base64url');
	}

	private async begin(id: string, fingerprint: string, options: Cancellable): Promise<Beginning> {
		const { store, clock } = this.dependencies;
		const now = clock.now();
		return await store.transact(async (tx) => {
			const claim = this.newClaim(tx);
			const known = await tx.idempotencyKeys.get(id);
			const isKept = known !== undefined && Date.parse(known.record.createdAt) > now - keptMs;
			if (!isKept) {
				if (known !== undefined) await tx.idempotencyKeys.delete(id);
				await requireRoom(tx, now);
				const createdAt = isoInstant(now);
				const row = { id, fingerprint, createdAt, claim, isAnswered: false };
				await tx.idempotencyKeys.insert(row, {});
				return { kind: 'run' };
			}
			const { record, secrets } = known;
			if (record.fingerprint !== fingerprint) throw keyReused();
			if (secrets.answer !== undefined) return { kind: 'answered', answer: secrets.answer };
			if (await this.isClaimed(tx, record)) throw inProgress();
			await tx.idempotencyKeys.update({ ...record, claim });
			return { kind: 'repeat', created: record.created ?? [] };
		}, options);
	}

	private async run(id: string, work: () => Promise<StoredAnswer>): Promise<StoredAnswer> {
		try {
			return await this.dependencies.store.notingCreations(id, work);
		} catch (error) {
			// The claim ends by itself if the store does not answer.
			await this.release(id).catch(() => undefined);
			throw error;
		}
	}

	/** A record that was deleted meanwhile cannot be shown again; the call then runs again. */
	private async repeat(
		id: string,
		created: readonly CreatedRecord[],
		work: RepeatableWork,
	): Promise<StoredAnswer | undefined> {
		try {
			return created.length === 0 ? undefined : await work.repeat(created);
		} catch (error) {
			if (isGatewayError(error) && error.kind === 'notFound') return undefined;
			await this.release(id).catch(() => undefined);
			throw error;
		}
	}

	/** Ends a failed call; the key is free again unless something was created under it. */
	private async release(id: string): Promise<void> {
		await this.dependencies.store.transact(async (tx) => {
			const known = (await tx.idempotencyKeys.get(id))?.record;
			if (known === undefined) return;
			const { claim: _claim, ...rest } = known;
			if (rest.created === undefined) await tx.idempotencyKeys.delete(id);
			else await tx.idempotencyKeys.update(rest);
		});
	}

	/** Stores the answer. The call has succeeded, so a failure here must not be its result. */
	private async keep(id: string, answer: StoredAnswer): Promise<void> {
		const { store, logger } = this.dependencies;
		try {
			await store.transact(async (tx) => {
				const known = (await tx.idempotencyKeys.get(id))?.record;
				if (known === undefined) return;
				const { claim: _claim, ...rest } = known;
				const kept = answer.body.length <= longestBody ? { answer } : {};
				await tx.idempotencyKeys.update({ ...rest, isAnswered: true }, kept);
			});
		} catch (error) {
			logger.warn('the answer to a call could not be kept', { reason: String(error) });
		}
	}

	private newClaim(tx: WriteTransaction): NonNullable<IdempotencyKeyRecord['claim']> {
		const until = isoInstant(this.dependencies.store.clock.now() + claimMs);
		return { by: tx.leases.mark(this.holder), until };
	}

	/** A claim ends with its time, or with its process; own claims without a running call are over. */
	private async isClaimed(tx: WriteTransaction, { claim }: IdempotencyKeyRecord): Promise<boolean> {
		if (claim === undefined || claim.by === tx.leases.mark(this.holder)) return false;
		if (claim.until <= isoInstant(this.dependencies.store.clock.now())) return false;
		return !(await tx.leases.isGone(claim.by));
	}
}

async function requireRoom(tx: WriteTransaction, now: number): Promise<void> {
	if ((await tx.idempotencyKeys.count()) < mostKeys) return;
	const expired = await expiredKeys(tx, now);
	await deleteKeys(tx, expired);
	if (expired.length > 0) return;
	throw idempotencyErrors.create('tooMany', {
		message: `The account keeps ${mostKeys} idempotency keys already.`,
		facts: { most: mostKeys },
	});
}

async function expiredKeys(
	tx: Pick<ReadTransaction, 'idempotencyKeys'>,
	now: number,
): Promise<string[]> {
	const value = isoInstant(now - keptMs);
	const expired = await tx.idempotencyKeys.list({
		where: [{ field: 'createdAt', op: 'lte', value }],
		limit: expiredPerSlice,
	});
	return expired.map(({ record }) => record.id);
}

async function deleteKeys(tx: WriteTransaction, ids: readonly string[]): Promise<void> {
	for (const id of ids) await tx.idempotencyKeys.delete(id);
}

const keyReused = (): Error =>
	idempotencyErrors.create('keyReused', {
		message: 'The idempotency key belongs to another request.',
	});

const inProgress = (): Error =>
	idempotencyErrors.create('inProgress', {
		message: 'The first request with this idempotency key has no answer yet.',
	});
