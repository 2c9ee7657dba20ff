import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/*
 * Global symbol, because each bundle has its own copy of this module, and an id set by one bundle
 * must be readable in the others.
 */
const shared = Symbol.for('n8n-nodes-enmeshed.correlation.v1');
type Host = { [shared]?: AsyncLocalStorage<string> };

function storage(): AsyncLocalStorage<string> {
	const host: typeof globalThis & Host = globalThis;
	return (host[shared] ??= new AsyncLocalStorage<string>());
}

/** Runs work whose events and calls carry this correlation id. */
export function correlated<Result>(id: string, work: () => Result): Result {
	return storage().run(id, work);
}

/** Runs work under the caller's correlation id, or under a new one. */
export function correlatedAnyway<Result>(work: () => Result): Result {
	return correlated(correlationId() ?? randomUUID(), work);
}

export function correlationId(): string | undefined {
	return storage().getStore();
}
