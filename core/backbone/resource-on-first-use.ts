type AsyncMethods = Record<string, (...parameters: never[]) => Promise<unknown>>;

/**
 * A resource whose code and schemas are loaded with its first call: most accounts never touch most of
 * what a Backbone offers. All methods of a resource are asynchronous, so nobody notices.
 */
export function onFirstUse<Resource extends object>(load: () => Promise<Resource>): Resource {
	let loaded: Promise<Resource> | undefined;
	const call = async (name: string, parameters: never[]): Promise<unknown> => {
		loaded ??= load();
		const method = ((await loaded) as AsyncMethods)[name];
		if (method === undefined) throw new TypeError(`The resource has no method '${name}'`);
		return await method(...parameters);
	};
	return new Proxy({} as Resource, {
		get: (_target, name) => {
			// Whoever awaits or prints the resource must not take it for a promise.
			if (typeof name === 'symbol' || name === 'then') return undefined;
			return (...parameters: never[]) => call(name, parameters);
		},
	});
}
