import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const folder = join(__dirname, '..', '..', '..', 'dist', 'core', 'admin-page');
const types: Readonly<Record<string, string>> = {
	'index.html': 'text/html; charset=utf-8',
	'page.js': 'text/javascript; charset=utf-8',
	'page.css': 'text/css; charset=utf-8',
};
const policy =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const csrf = 'csrf-of-the-tests';
const base = '/admin/';

export interface FrontOptions {
	/** address of the gateway */
	readonly target: string;
	readonly keyOf: (account: string) => string | Promise<string>;
}

/** Serves the page with a session, and forwards its calls to a gateway with a key. */
export class AdminFront {
	mayChange = true;

	private isSignedIn = false;

	private constructor(
		private readonly server: Server,
		private readonly options: FrontOptions,
	) {}

	static async open(options: FrontOptions): Promise<AdminFront> {
		const server = createServer();
		const front = new AdminFront(server, options);
		server.on('request', (incoming, outgoing) => void front.answer(incoming, outgoing));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return front;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	/** The gateway knows no session any more. */
	endSessions(): void {
		this.isSignedIn = false;
	}

	close(): void {
		this.server.closeAllConnections();
		this.server.close();
	}

	private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const { method = 'GET', url = '' } = incoming;
		const body = await text(incoming);
		const path = url.startsWith(base) ? url.slice(base.length) : undefined;
		const file = path === '' ? 'index.html' : (path ?? '');
		const json = (status: number, answer: object): void => {
			outgoing.writeHead(status, { 'content-type': 'application/json' });
			outgoing.end(JSON.stringify(answer));
		};
		const refuse = (status: number, code: string): void =>
			json(status, { error: { id: 'ERR1', code, message: `Refused: ${code}.` } });
		if (Object.hasOwn(types, file) && method === 'GET') {
			outgoing.writeHead(200, {
				'content-type': types[file],
				'content-security-policy': policy,
			});
			outgoing.end(readFileSync(join(folder, file)));
		} else if (path === 'sign-in') {
			json(200, { result: { key: true } });
		} else if (path === 'session' && method === 'POST') {
			this.isSignedIn = JSON.parse(body).key === (await this.options.keyOf('default'));
			if (this.isSignedIn) json(200, this.session());
			else refuse(401, 'error.connector.http.unauthorized');
		} else if (path === undefined || !this.isSignedIn) {
			refuse(path === undefined ? 404 : 401, 'error.connector.http.unauthorized');
		} else if (path === 'session') {
			if (method === 'DELETE') this.isSignedIn = false;
			json(200, this.session());
		} else if (method !== 'GET' && incoming.headers['x-csrf-token'] !== csrf) {
			refuse(403, 'csrf');
		} else {
			await this.forward(method, path, body, outgoing);
		}
	}

	private async forward(
		method: string,
		path: string,
		body: string,
		outgoing: ServerResponse,
	): Promise<void> {
		const [, name, route] =
			/^api\/(default|accounts\/[^/?]+)\/(.+)$/.exec(path) ?? /^(api)\/(.*)$/.exec(path) ?? [];
		const prefix = name === 'api' ? '/' : name === 'default' ? '/api/v2/' : `/${name}/api/v2/`;
		const account = decodeURIComponent(/^accounts\/(.*)$/.exec(name ?? '')?.[1] ?? 'default');
		const answer = await fetch(this.options.target + prefix + (route ?? ''), {
			method,
			headers: {
				'x-api-key': await this.options.keyOf(account),
				...(body === '' ? {} : { 'content-type': 'application/json' }),
			},
			...(body === '' ? {} : { body }),
		});
		outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
		outgoing.end(await answer.text());
	}

	private session(): object {
		const may = { accounts: true, keys: true, problems: true, webhooks: true, people: true };
		return {
			result: {
				...{ name: 'Ada', signIn: 'key', csrf, defaultAccount: 'default' },
				may: { ...may, audit: true, change: this.mayChange },
			},
		};
	}
}
