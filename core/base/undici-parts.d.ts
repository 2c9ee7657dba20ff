/*
 * Declarations for the modules of undici that this package uses. The main entry of undici also
 * loads caches, mocks, fetch and web sockets, which more than doubles the memory that a process
 * needs for it.
 */

declare module 'undici/lib/dispatcher/agent.js' {
	import { Agent } from 'undici';
	export default Agent;
}

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
