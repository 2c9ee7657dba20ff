import type { Dispatcher, EnvHttpProxyAgent } from 'undici';
import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';

/** The one thing that is asked of undici. */
export interface HttpAgent {
	request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
	destroy(): Promise<void>;
}

const options = {
	pipelining: 1,
	allowH2: false,
	keepAliveTimeout: 4_000,
	keepAliveMaxTimeout: 60_000,
	connect: { timeout: 10_000 },
	headersTimeout: 0,
	bodyTimeout: 0,
};

const proxyVariables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/** Connections to one origin, through the proxy that the environment names. */
export function createHttpAgent(
	origin: string,
	environment: NodeJS.ProcessEnv = process.env,
): HttpAgent {
	const isProxyNamed = proxyVariables.some((name) => Boolean(environment[name]));
	return isProxyNamed ? new ProxiedAgent() : new DirectAgent(origin);
}

class DirectAgent implements HttpAgent {
	private readonly pool: Pool;

	constructor(origin: string) {
		this.pool = new Pool(origin, options);
	}

	request(asked: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
		return request.call(this.pool, asked);
	}

	destroy(): Promise<void> {
		return this.pool.destroy();
	}
}

/** Also knows `no_proxy`. Loaded when there is a proxy: few installations have one. */
class ProxiedAgent implements HttpAgent {
	private agent: Promise<EnvHttpProxyAgent> | undefined;

	async request(asked: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
		this.agent ??= import('undici/lib/dispatcher/env-http-proxy-agent.js').then(
			({ default: Agent }) => new Agent(options),
		);
		return await request.call(await this.agent, asked);
	}

	async destroy(): Promise<void> {
		await (await this.agent)?.destroy();
	}
}
