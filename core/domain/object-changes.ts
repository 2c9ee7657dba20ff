import type { Cancellable } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import { codeOf, isGatewayError } from '../base/errors';
import type { Logger } from '../base/logger';
import type { ObjectIntent } from '../model/record/object-intent';
import type { Store, WriteTransaction } from '../store/store';
import { isOutcomeUnknown, isTemporary } from './unfinished/outcome';
import type { UnfinishedAttempts } from './unfinished/unfinished-attempts';

interface ObjectChangeDependencies {
	readonly store: Store;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Call to the Backbone, and the local changes that are committed together with its answer. */
interface ObjectChange<Answer, Result> {
	readonly id: string;
	readonly action: ObjectIntent['action'];
	readonly call: () => Promise<Answer>;
	readonly complete: (tx: WriteTransaction, answer: Answer) => Promise<Result>;
}

/**
 * Changes of files, tokens and templates with a durable intent: the intent is committed before the
 * call and removed in the transaction that stores the result. The next sync resolves intents that a
 * killed process or a lost answer leaves behind.
 */
export class ObjectChanges {
	/** ids of objects with a call in progress in this process */
	private readonly underWay = new Set<string>();

	constructor(private readonly dependencies: ObjectChangeDependencies) {}

	async run<Answer, Result>(
		change: ObjectChange<Answer, Result>,
		options: Cancellable,
	): Promise<Result> {
		const { store, clock } = this.dependencies;
		const { id, action } = change;
		const createdAt = isoInstant(clock.now());
		this.underWay.add(id);
		try {
			await store.transact(async (tx) => {
				const intent = { id, action, createdAt };
				if (await tx.objectIntents.insertIfNew(intent, undefined)) return;
				// Repeating the same change continues with the retry state of the stored intent.
				const open = (await tx.objectIntents.get(id))?.record;
				if (open?.action !== action) await tx.objectIntents.update(intent);
			}, options);
			return await this.finish(change);
		} finally {
			this.underWay.delete(id);
		}
	}

	/**
	 * Deletes an object. Also completes interrupted deletions: an object that the Backbone no longer
	 * has counts as deleted.
	 */
	async delete(change: ObjectChange<void, unknown>, options: Cancellable): Promise<void> {
		const call = async (): Promise<void> => {
			try {
				await change.call();
			} catch (error) {
				if (codeOf(error) !== 'error.runtime.recordNotFound') throw error;
			}
		};
		await this.run({ ...change, call }, options);
	}

	/**
	 * Resolves the intents of interrupted changes independently of each other; returns the ids of the
	 * objects whose intent is resolved.
	 */
	async settle(
		resolve: (intent: ObjectIntent) => Promise<void>,
		attempts: UnfinishedAttempts,
		options: Cancellable,
	): Promise<string[]> {
		const intents = await this.dependencies.store.read((tx) => tx.objectIntents.list(), options);
		const settled: string[] = [];
		for (const { record: intent } of intents) {
			if (this.underWay.has(intent.id)) continue;
			const { isOpen } = await attempts.attempt({ row: 'objectIntents', id: intent.id }, () =>
				this.resolveOrDrop(intent, resolve),
			);
			if (!isOpen) settled.push(intent.id);
		}
		return settled;
	}

	/** Resolves an intent; a refused change is abandoned. */
	private async resolveOrDrop(
		intent: ObjectIntent,
		resolve: (intent: ObjectIntent) => Promise<void>,
	): Promise<void> {
		const { id, action } = intent;
		try {
			await resolve(intent);
		} catch (error) {
			if (!isGatewayError(error) || isOutcomeUnknown(error) || isTemporary(error)) throw error;
			const facts = { id, action, code: error.code };
			this.dependencies.logger.warn('an interrupted change was refused', facts);
			await this.drop(id);
		}
	}

	/** Deletes the intent of a change that did not happen, or whose object no longer exists. */
	async drop(id: string): Promise<void> {
		await this.dependencies.store.transact(async (tx) => {
			await tx.objectIntents.delete(id);
		});
	}

	private async finish<Answer, Result>(change: ObjectChange<Answer, Result>): Promise<Result> {
		let answer: Answer;
		try {
			answer = await change.call();
		} catch (error) {
			if (isGatewayError(error) && !isOutcomeUnknown(error)) await this.drop(change.id);
			throw error;
		}
		return await this.dependencies.store.transact(async (tx) => {
			const result = await change.complete(tx, answer);
			await tx.objectIntents.delete(change.id);
			return result;
		});
	}
}
