import type { Dispatcher } from 'undici';
import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';

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

type LoadDispatcher = () => Dispatcher | Promise<Dispatcher>;

/** Connections to one origin, through the proxy that the environment names. */
export function createHttpAgent(
	origin: string,
	environment: NodeJS.ProcessEnv = process.env,
): HttpAgent {
	const isProxyNamed = proxyVariables.some((name) => Boolean(environment[name]));
	return new HttpAgent(isProxyNamed ? loadProxyAgent : () => new Pool(origin, options));
}

/** Also knows `no_proxy`. Loaded when there is a proxy: few installations have one. */
async function loadProxyAgent(): Promise<Dispatcher> {
	const { default: Agent } = await import('undici/lib/dispatcher/env-http-proxy-agent.js');
	return new Agent(options);
}

/** What is asked of undici. */
export class HttpAgent {
	private loaded: Dispatcher | Promise<Dispatcher> | undefined;

	constructor(private readonly load: LoadDispatcher) {}

	/** Hands out an answer piece by piece. */
	dispatcher(): Dispatcher | Promise<Dispatcher> {
		this.loaded ??= this.load();
		return this.loaded;
	}

	/** Hands out an answer as a stream. */
	async request(asked: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
		return await request.call(await this.dispatcher(), asked);
	}

	async destroy(): Promise<void> {
		await (await this.loaded)?.destroy();
	}
}
