type Sodium = typeof import('libsodium-wrappers');

/* The library is a stateless set of functions; keeping it is the same as the module cache. */
let sodiumLibrary: Sodium | undefined;

/**
 * Loads libsodium (about 50 ms and 8 MB), once per process; its rarely used parts stay out, since
 * password hashes are computed elsewhere. Everything in `core/crypto` and the
 * envelopes works synchronously after this has resolved.
 */
export async function loadSodium(): Promise<void> {
	if (sodiumLibrary !== undefined) return;
	const module = await import('libsodium-wrappers');
	// The functions appear on the default export once the library is ready, also in bundles.
	const library = (module as unknown as { default?: Sodium }).default ?? module;
	await library.ready;
	sodiumLibrary = library;
}

export function sodium(): Sodium {
	if (sodiumLibrary === undefined) throw new TypeError('loadSodium() must have resolved before');
	return sodiumLibrary;
}
