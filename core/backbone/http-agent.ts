import type { Dispatcher } from 'undici';

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
	return new HttpAgent(isProxyNamed ? openProxyAgent : () => openPool(origin));
}

async function openPool(origin: string): Promise<Dispatcher> {
	const { Pool } = await import('./undici');
	return new Pool(origin, options);
}

/** Also knows `no_proxy`. */
async function openProxyAgent(): Promise<Dispatcher> {
	const { EnvHttpProxyAgent } = await import('./undici');
	return new EnvHttpProxyAgent(options);
}

/** What is asked of undici, which is loaded by the first request. */
export class HttpAgent {
	private opened: Dispatcher | Promise<Dispatcher> | undefined;

	constructor(private readonly open: () => Dispatcher | Promise<Dispatcher>) {}

	/** Hands out an answer piece by piece. */
	dispatcher(): Dispatcher | Promise<Dispatcher> {
		this.opened ??= this.open();
		return this.opened;
	}

	/** Hands out an answer as a stream. */
	async request(asked: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
		const dispatcher = await this.dispatcher();
		const { request } = await import('./undici');
		return await request.call(dispatcher, asked);
	}

	async destroy(): Promise<void> {
		await (await this.opened)?.destroy();
	}
}
