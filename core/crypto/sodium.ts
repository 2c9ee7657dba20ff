type Sodium = (typeof import('libsodium-wrappers'))['default'];

/*
 * The library is a set of stateless functions, so this variable is equivalent to the module cache.
 */
let sodiumLibrary: Sodium | undefined;

/**
 * Loads libsodium (about 50 ms and 8 MB) once per process, without its rarely used parts, because
 * password hashes are computed elsewhere. After this has resolved, all functions in `core/crypto`
 * and the envelopes work synchronously.
 */
export async function loadSodium(): Promise<void> {
	if (sodiumLibrary !== undefined) return;
	const module = await import('libsodium-wrappers');
	// The functions appear on the default export once the library is ready, in bundles too. Its types
	// have no default export.
	const library: Sodium = module.default ?? module;
	await library.ready;
	sodiumLibrary = library;
}

export function sodium(): Sodium {
	if (sodiumLibrary === undefined) throw new TypeError('loadSodium() must have resolved before');
	return sodiumLibrary;
}
