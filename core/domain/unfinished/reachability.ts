import { throwIfAborted, type Cancellable } from '../../base/abort';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { Backbone } from '../../backbone/port/backbone';
import { isOddAnswer } from '../../backbone/port/odd-answer';
import { isRefused } from './outcome';

/**
 * Tells a failure of one object from an unavailable Backbone during one pass over many objects. The
 * Backbone is asked at most once in a pass.
 */
export class Reachability {
	private reachable: Promise<boolean> | undefined;

	constructor(
		private readonly backbone: Backbone,
		private readonly options: Cancellable,
	) {}

	/**
	 * Probes the Backbone with two unrelated lists, because one of them may be the call that it
	 * cannot answer.
	 */
	async isReachable(): Promise<boolean> {
		const { backbone, options } = this;
		this.reachable ??= this.probe(() => backbone.deletionProcesses.list(options)).then(
			async (isThere) =>
				isThere ||
				(await this.probe(() => backbone.messages.page({ pageNumber: 1, pageSize: 1 }, options))),
		);
		return await this.reachable;
	}

	private async probe(call: () => Promise<unknown>): Promise<boolean> {
		try {
			await call();
			return true;
		} catch (error) {
			throwIfAborted(this.options);
			return isGatewayError(error) && !isUnanswered(error);
		}
	}
}

/** Checks whether a call has no answer about its object: neither a usable one nor a refusal. */
export function isUnanswered(error: unknown): error is GatewayError {
	if (!isGatewayError(error) || error.kind !== 'unavailable') return false;
	return !isOddAnswer(error) && !isRefused(error);
}

/** Checks whether the account's own store does not answer. */
export function isStoreAway(error: unknown): boolean {
	return (
		isGatewayError(error) &&
		error.kind === 'unavailable' &&
		error.code.startsWith('error.gateway.store.')
	);
}
