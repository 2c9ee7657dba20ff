import type { Cancellable } from '../base/abort';
import { codeOf, isGatewayError } from '../base/errors';
import type { WorkKind, WorkRecord } from '../model/record/work';
import type { WriteTransaction } from '../store/store';
import { openWork, type Ledger } from './unfinished/ledger';
import { isOutcomeUnknown, isTemporary } from './unfinished/outcome';
import type { Needs } from './needs';

interface ObjectChangeDependencies extends Needs<'store' | 'logger'> {
	readonly ledger: Ledger;
}

/** Call to the Backbone, and the local changes that are committed together with its answer. */
interface ObjectChange<Answer, Result> {
	readonly id: string;
	readonly action: WorkKind;
	readonly call: () => Promise<Answer>;
	readonly complete: (tx: WriteTransaction, answer: Answer) => Promise<Result>;
}

/**
 * Changes of files, tokens and templates with a durable intent: the work is opened before the call
 * and closed in the transaction that stores the result. The next sync resolves the work that a
 * killed process or a lost answer leaves behind.
 */
export class ObjectChanges {
	constructor(private readonly dependencies: ObjectChangeDependencies) {}

	async run<Answer, Result>(
		change: ObjectChange<Answer, Result>,
		options: Cancellable,
	): Promise<Result> {
		const { store, ledger } = this.dependencies;
		const { id, action } = change;
		await store.transact((tx) => ledger.begin(tx, id, action, openWork), options);
		return await ledger.whileClaimed(id, () => this.finish(change));
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

	/** Finds out what became of an interrupted change; a refused change is abandoned. */
	async settle({ id, kind }: WorkRecord, resolve: (id: string) => Promise<void>): Promise<void> {
		try {
			await resolve(id);
		} catch (error) {
			if (!isGatewayError(error) || isOutcomeUnknown(error) || isTemporary(error)) throw error;
			const facts = { id, action: kind, code: error.code };
			this.dependencies.logger.warn('an interrupted change was refused', facts);
			await this.drop(id);
		}
	}

	/** Closes the work of a change that did not happen, or whose object no longer exists. */
	async drop(id: string): Promise<void> {
		await this.dependencies.store.transact((tx) => tx.work.delete(id));
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
			await tx.work.delete(change.id);
			return result;
		});
	}
}
