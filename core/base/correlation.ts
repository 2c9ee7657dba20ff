import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/* Bundles have copies of this file each; what one sets has to be read in another. */
const shared = Symbol.for('n8n-nodes-enmeshed.correlation.v1');
type Host = { [shared]?: AsyncLocalStorage<string> };

function storage(): AsyncLocalStorage<string> {
	return ((globalThis as Host)[shared] ??= new AsyncLocalStorage<string>());
}

/** Whatever `work` causes is known to have been caused by what has this id. */
export function correlated<Result>(id: string, work: () => Result): Result {
	return storage().run(id, work);
}

/** The same under the id of the caller, else under a fresh one. */
export function correlatedAnyway<Result>(work: () => Result): Result {
	return correlated(correlationId() ?? randomUUID(), work);
}

export function correlationId(): string | undefined {
	return storage().getStore();
}
