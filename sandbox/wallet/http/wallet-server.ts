import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { pageFile } from '../page-files';
import type { People } from '../people';
import { isAcceptedHost } from './accepted-hosts';
import { answerCall } from './calls';
import { sendJson } from './json-body';
import { WalletError } from './wallet-error';

export interface WalletServerOptions {
	readonly port: number;
	readonly host: string;
	readonly acceptedHosts: ReadonlySet<string>;
}

/** The page must not load, send or frame anything beyond this server. */
const securityHeaders = {
	'content-security-policy': [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"connect-src 'self'",
		"img-src 'self' blob:",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; '),
	'cache-control': 'no-store',
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
};

/** HTTP server of the page and its calls. */
export class WalletServer {
	private constructor(
		private readonly server: Server,
		readonly address: AddressInfo,
	) {}

	static async open(people: People, options: WalletServerOptions): Promise<WalletServer> {
		const server = createServer((request, response) => {
			answer(people, options, request, response).catch((error: unknown) => refuse(response, error));
		});
		server.listen(options.port, options.host);
		await once(server, 'listening');
		return new WalletServer(server, server.address() as AddressInfo);
	}

	async close(): Promise<void> {
		const closed = new Promise((resolve) => this.server.close(resolve));
		this.server.closeAllConnections();
		await closed;
	}
}

async function answer(
	people: People,
	{ acceptedHosts }: WalletServerOptions,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
	if (!isAcceptedHost(request.headers.host, acceptedHosts)) {
		response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
		response.end('The wallet does not answer under this host name.');
		return;
	}
	const { pathname } = new URL(request.url ?? '/', 'http://wallet');
	const file = request.method === 'GET' ? pageFile(pathname) : undefined;
	if (file !== undefined) {
		response.writeHead(200, { 'content-type': file.type }).end(file.content);
		return;
	}
	await answerCall(people, pathname, request, response);
}

function refuse(response: ServerResponse, error: unknown): void {
	if (response.headersSent) {
		response.destroy();
		return;
	}
	const { status, message, code } = WalletError.of(error);
	sendJson(response, { message, ...(code === undefined ? {} : { code }) }, status);
}
