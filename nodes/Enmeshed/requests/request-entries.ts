import type { OperationCall } from '../operation/operation';

/** Entries of the form by the path of their item in the request, for example `items.1.items.0`. */
export type RequestEntries = ReadonlyMap<string, string>;

const entriesOfCalls = new WeakMap<OperationCall, RequestEntries>();

/**
 * Remembers from which entries of the form a call has built its request, for messages about items.
 */
export function rememberEntries(call: OperationCall, entries: RequestEntries): void {
	entriesOfCalls.set(call, entries);
}

/**
 * Entry that an item of a request was built from, for example "entry 2".
 *
 * @param path of the item or of one of its members
 */
export function entryAt(call: OperationCall, path: string): string | undefined {
	const item = /\bitems\.\d+(?:\.items\.\d+)?/.exec(path)?.[0];
	return item === undefined ? undefined : entriesOfCalls.get(call)?.get(item);
}
