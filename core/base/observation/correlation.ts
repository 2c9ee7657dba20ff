import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/*
 * Global symbol, because each bundle has its own copy of this module, and an id set by one bundle
 * must be readable in the others.
 */
const shared = Symbol.for('n8n-nodes-enmeshed.correlation.v1');
type Host = { [shared]?: AsyncLocalStorage<string | undefined> };

function storage(): AsyncLocalStorage<string | undefined> {
	const host: typeof globalThis & Host = globalThis;
	return (host[shared] ??= new AsyncLocalStorage<string | undefined>());
}

/** Runs work whose events and calls carry this correlation id. */
export function correlated<Result>(id: string, work: () => Result): Result {
	return storage().run(id, work);
}

/** Runs work whose events and calls carry no correlation id, whatever the caller has. */
export function uncorrelated<Result>(work: () => Result): Result {
	return storage().run(undefined, work);
}

/** Runs work under the caller's correlation id, or under a new one. */
export function correlatedAnyway<Result>(work: () => Result): Result {
	return correlated(correlationId() ?? randomUUID(), work);
}

export function correlationId(): string | undefined {
	return storage().getStore();
}
