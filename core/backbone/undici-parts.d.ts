/* The modules of undici that a direct connection needs; its main entry loads twice as much. */

declare module 'undici/lib/dispatcher/pool.js' {
	import { Pool } from 'undici';
	export default Pool;
}

declare module 'undici/lib/api/api-request.js' {
	import type { Dispatcher } from 'undici';
	/** `Dispatcher.prototype.request`, which the main entry attaches. */
	export default function request(
		this: Dispatcher,
		options: Dispatcher.RequestOptions,
	): Promise<Dispatcher.ResponseData>;
}
