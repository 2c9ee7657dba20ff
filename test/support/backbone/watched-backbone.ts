import type { Backbone } from '../../../core/backbone/port/backbone';

/** Calls of the Backbone are the methods of these objects. */
const resources: readonly string[] = [
	'identities',
	'deletionProcesses',
	'challenges',
	'datawallet',
	'syncRuns',
	'templates',
	'relationships',
	'messages',
	'files',
	'tokens',
] satisfies ReadonlyArray<keyof Backbone>;

/** Call that is answered in pages, each of which counts as a call. */
const pagedCall = 'syncRuns.events';

type Method = (...parameters: unknown[]) => Promise<unknown>;

type Around = (name: string, call: () => Promise<unknown>) => Promise<unknown>;

/**
 * The same Backbone, with something around every call.
 *
 * @param around gets the call as `relationships.get` and whatever answers it; after the last page of
 * events the answer is undefined
 */
export function watchBackbone<Watched extends Backbone>(
	backbone: Watched,
	around: Around,
): Watched {
	return new Proxy(backbone, {
		get: (target, name) => {
			const value: unknown = Reflect.get(target, name, target);
			if (typeof value === 'function') return value.bind(target) as unknown;
			if (typeof name !== 'string' || !resources.includes(name)) return value;
			return new Proxy(value as Record<string, Method>, {
				get:
					(resource, method: string) =>
					(...parameters: unknown[]) => {
						const call = () => (resource[method] as Method)(...parameters);
						const called = `${name}.${method}`;
						if (called !== pagedCall) return around(called, call);
						return pagesAround(call() as unknown as AsyncIterator<unknown, void>, around);
					},
			});
		},
	});
}

async function* pagesAround(
	pages: AsyncIterator<unknown, void>,
	around: Around,
): AsyncGenerator<unknown, void> {
	for (;;) {
		const page = await around(pagedCall, async () => (await pages.next()).value);
		if (page === undefined) return;
		yield page;
	}
}
