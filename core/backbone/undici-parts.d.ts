/*
 * The modules of undici that are used. Its main entry also loads caches, mocks, fetch and web sockets,
 * which more than doubles what a process keeps of it.
 */

declare module 'undici/lib/dispatcher/pool.js' {
	import { Pool } from 'undici';
	export default Pool;
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
	import { EnvHttpProxyAgent } from 'undici';
	export default EnvHttpProxyAgent;
}

declare module 'undici/lib/api/api-request.js' {
	import type { Dispatcher } from 'undici';
	/** `Dispatcher.prototype.request`, which the main entry attaches. */
	export default function request(
		this: Dispatcher,
		options: Dispatcher.RequestOptions,
	): Promise<Dispatcher.ResponseData>;
}
