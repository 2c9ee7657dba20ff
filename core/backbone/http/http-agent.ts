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

/** Opens connections to one origin, through the proxy that the environment variables name. */
export function createHttpAgent(
	origin: string,
	environment: NodeJS.ProcessEnv = process.env,
): HttpAgent {
	const isProxyNamed = proxyVariables.some((name) => Boolean(environment[name]));
	return isProxyNamed
		? new HttpAgent(openProxyAgent, proxyFor(origin, environment))
		: new HttpAgent(() => openPool(origin));
}

/** Host and port of the proxy that leads to an origin, as undici chooses it. */
function proxyFor(origin: string, environment: NodeJS.ProcessEnv): string | undefined {
	const named = (name: string) => environment[name.toLowerCase()] ?? environment[name];
	const { protocol, hostname, port } = new URL(origin);
	const ofScheme = protocol === 'https:' ? named('HTTPS_PROXY') : undefined;
	const proxy = (ofScheme === '' ? undefined : ofScheme) ?? named('HTTP_PROXY') ?? '';
	const isExcepted = (named('NO_PROXY') ?? '').split(/[,\s]+/).some((entry) => {
		const [name = '', exceptedPort = ''] = entry.split(':');
		if (name === '*') return true;
		if (name === '' || (exceptedPort !== '' && exceptedPort !== port)) return false;
		const suffix = name.replace(/^\*?\.?/, '').toLowerCase();
		return hostname === suffix || hostname.endsWith(`.${suffix}`);
	});
	if (isExcepted || !URL.canParse(proxy)) return undefined;
	return new URL(proxy).host;
}

async function openPool(origin: string): Promise<Dispatcher> {
	const { Pool } = await import('../../base/undici');
	return new Pool(origin, options);
}

/** This agent also honours `no_proxy`. */
async function openProxyAgent(): Promise<Dispatcher> {
	const { EnvHttpProxyAgent } = await import('../../base/undici');
	return new EnvHttpProxyAgent(options);
}

/** The functions of undici that are used here. The first request loads the library. */
export class HttpAgent {
	private opened: Dispatcher | Promise<Dispatcher> | undefined;

	constructor(
		private readonly open: () => Dispatcher | Promise<Dispatcher>,
		/** host and port of the proxy on the way, if there is one */
		readonly proxy?: string,
	) {}

	/** For requests whose answer is received in pieces. */
	dispatcher(): Dispatcher | Promise<Dispatcher> {
		this.opened ??= this.open();
		return this.opened;
	}

	/** For requests whose answer is a stream. */
	async request(asked: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
		const dispatcher = await this.dispatcher();
		const { request } = await import('../../base/undici');
		return await request.call(dispatcher, asked);
	}

	async destroy(): Promise<void> {
		await (await this.opened)?.destroy();
	}
}
