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

type Method = (...parameters: unknown[]) => Promise<unknown>;

/**
 * The same Backbone, with something around every call.
 *
 * @param around gets the call as `relationships.get` and whatever answers it
 */
export function watchBackbone<Watched extends Backbone>(
	backbone: Watched,
	around: (name: string, call: () => Promise<unknown>) => Promise<unknown>,
): Watched {
	return new Proxy(backbone, {
		get: (target, name) => {
			const value: unknown = Reflect.get(target, name, target);
			if (typeof value === 'function') return value.bind(target) as unknown;
			if (typeof name !== 'string' || !resources.includes(name)) return value;
			return new Proxy(value as Record<string, Method>, {
				get:
					(resource, method: string) =>
					(...parameters: unknown[]) =>
						around(`${name}.${method}`, () => (resource[method] as Method)(...parameters)),
			});
		},
	});
}
