import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { withDeadline } from '../../base/abort';
import { isForbiddenHost, type HostRule } from './forbidden-address';
import { ForbiddenAddress, guardedLookup, isForbiddenName } from './guarded-lookup';
import { errorCodeOf, memberOf } from '../../base/members';

export interface WebhookCallerOptions {
	/** milliseconds for one call, including connecting and reading the answer */
	readonly timeoutMs: number;
	/** accepts any certificate */
	readonly skipTlsCheck: boolean;
	/** hosts that are not called; default: cloud metadata services and link-local addresses */
	readonly isRefused?: HostRule | undefined;
	/** resolver to use instead of the system's */
	readonly lookup?: LookupFunction | undefined;
	readonly environment?: NodeJS.ProcessEnv;
}

export interface WebhookCall {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

export type CallOutcome =
	| {
			readonly kind: 'answered';
			readonly status: number;
			readonly retryAfter: string | undefined;
			/** body of the answer if the caller reads it and it has at most 64 KiB, else empty */
			readonly body: string;
	  }
	/** the reason contains no text of the target */
	| { readonly kind: 'notReached'; readonly reason: string };

const maxAnswerBytes = 64 * 1024;
const proxyVariables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/**
 * POSTs to webhook targets with a time limit, without following redirects, and never to cloud
 * metadata services or link-local addresses, whatever a name resolves to.
 */
export class WebhookCaller {
	private constructor(
		private readonly options: WebhookCallerOptions,
		private readonly dispatcher: Dispatcher,
		private readonly lookup: LookupFunction,
		private readonly isRefused: HostRule,
		private readonly isProxied: boolean,
	) {}

	static async open(options: WebhookCallerOptions): Promise<WebhookCaller> {
		const { environment = process.env, skipTlsCheck, isRefused = isForbiddenHost } = options;
		const lookup = guardedLookup(isRefused, options.lookup);
		const settings = {
			pipelining: 1,
			allowH2: false,
			keepAliveTimeout: 4_000,
			keepAliveMaxTimeout: 60_000,
			headersTimeout: 0,
			bodyTimeout: 0,
			connect: { lookup, rejectUnauthorized: !skipTlsCheck, timeout: options.timeoutMs },
		};
		const isProxied = proxyVariables.some((name) => Boolean(environment[name]));
		const { Agent, EnvHttpProxyAgent } = await import('../../base/undici');
		const dispatcher = isProxied ? new EnvHttpProxyAgent(settings) : new Agent(settings);
		return new WebhookCaller(options, dispatcher, lookup, isRefused, isProxied);
	}

	/** @throws the signal's reason and no other error */
	async post(
		call: WebhookCall,
		{ signal, reads = false }: { readonly signal: AbortSignal; readonly reads?: boolean },
	): Promise<CallOutcome> {
		const deadline = withDeadline(this.options.timeoutMs, signal);
		try {
			const url = new URL(call.url);
			await this.requireAllowed(url);
			const { request } = await import('../../base/undici');
			const answer = await request.call(this.dispatcher, {
				origin: url.origin,
				path: url.pathname + url.search,
				method: 'POST',
				headers: { ...basicAuthentication(url), ...call.headers },
				body: call.body,
				signal: deadline,
			});
			const retryAfter = answer.headers['retry-after'];
			return {
				kind: 'answered',
				status: answer.statusCode,
				retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
				body: reads ? await readText(answer.body) : await discardBody(answer.body),
			};
		} catch (error) {
			signal.throwIfAborted();
			return { kind: 'notReached', reason: this.reasonOf(error) };
		}
	}

	/** Aborts calls in progress. */
	async close(): Promise<void> {
		await this.dispatcher.destroy();
	}

	/**
	 * Checks literal addresses, which are never looked up, and names behind a proxy, which the proxy
	 * resolves.
	 */
	private async requireAllowed({ hostname }: URL): Promise<void> {
		if (this.isRefused(hostname)) throw new ForbiddenAddress();
		if (!this.isProxied) return;
		if (await isForbiddenName(hostname, this.lookup)) throw new ForbiddenAddress();
	}

	private reasonOf(error: unknown): string {
		if (error instanceof ForbiddenAddress) return error.message;
		const code = errorCodeOf(error);
		const isLate = memberOf(error, 'name') === 'TimeoutError' || code === 'UND_ERR_CONNECT_TIMEOUT';
		if (isLate) return `no answer within ${this.options.timeoutMs} ms`;
		return typeof code === 'string' ? `not reached (${code})` : 'not reached';
	}
}

/**
 * Sends user name and password of the address as basic authentication, as other HTTP clients do.
 */
function basicAuthentication({ username, password }: URL): Record<string, string> {
	if (username === '' && password === '') return {};
	const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
	return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
	let text = '';
	for await (const chunk of body) {
		text += String(chunk);
		// Leaving the loop ends the connection.
		if (text.length > maxAnswerBytes) return '';
	}
	return text;
}

/** Discards the body; reading some of it lets the connection be reused. */
async function discardBody(body: Dispatcher.ResponseData['body']): Promise<string> {
	await body
		.dump({ limit: maxAnswerBytes, signal: AbortSignal.timeout(1_000) })
		.catch(() => undefined);
	return '';
}
