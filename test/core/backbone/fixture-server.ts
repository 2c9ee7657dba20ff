import {
	createServer,
	type IncomingHttpHeaders,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { HttpBackbone, type HttpBackboneOptions } from '../../../core/backbone/http/http-backbone';

export interface SeenRequest {
	readonly method: string;
	/** without query */
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
	readonly url: string;
}

export type Responder = (request: SeenRequest, response: ServerResponse) => void;

export function json(
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): Responder {
	return (_request, response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
	};
}

export const result = (value: unknown, status = 200): Responder => json(status, { result: value });

export const empty =
	(status: number, headers: Record<string, string> = {}): Responder =>
	(_request, response) => {
		response.writeHead(status, headers);
		response.end();
	};

export const problem = (
	status: number,
	code: string,
	message = 'said the Backbone.',
	data: unknown = null,
): Responder =>
	json(status, {
		error: { id: 'ERRABC', code, message, docs: '', time: '2026-01-01T00:00:00.0000000Z', data },
	});

export const raw =
	(status: number, body: string, type = 'application/json'): Responder =>
	(_request, response) => {
		response.writeHead(status, { 'content-type': type });
		response.end(body);
	};

/** Answers the first calls one after the other, then always with the last. */
export function inTurn(...responders: readonly Responder[]): Responder {
	let next = 0;
	return (request, response) => {
		const responder = responders[Math.min(next++, responders.length - 1)];
		responder?.(request, response);
	};
}

const standardRoutes = (): Record<string, Responder> => {
	let issued = 0;
	return {
		'GET /api/v2/Version': result({ majorVersion: '6' }),
		'POST /connect/token': (_request, response) => {
			json(200, { access_token: `token-${++issued}`, token_type: 'Bearer', expires_in: 300 })(
				_request,
				response,
			);
		},
	};
};

/** A local server whose every answer a test decides; what has no route is 404 without a body. */
export class FixtureServer {
	readonly seen: SeenRequest[] = [];

	/** connections accepted so far */
	connectionCount = 0;

	private readonly backbones: HttpBackbone[] = [];

	private constructor(
		private readonly server: Server,
		private readonly sockets: Set<Socket>,
	) {}

	static async open(routes: Readonly<Record<string, Responder>> = {}): Promise<FixtureServer> {
		const table = { ...standardRoutes(), ...routes };
		const server = createServer();
		const sockets = new Set<Socket>();
		const fixture = new FixtureServer(server, sockets);
		server.on('connection', (socket) => {
			fixture.connectionCount++;
			sockets.add(socket);
			socket.on('close', () => sockets.delete(socket));
		});
		server.on('request', (request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const url = new URL(request.url ?? '/', 'http://fixture');
				const seen = {
					method: request.method ?? '',
					path: url.pathname,
					query: url.searchParams,
					headers: request.headers,
					body: Buffer.concat(chunks).toString('utf8'),
					url: request.url ?? '',
				};
				fixture.seen.push(seen);
				(table[`${seen.method} ${seen.path}`] ?? empty(404))(seen, response);
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return fixture;
	}

	get baseUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	calls(path: string): SeenRequest[] {
		return this.seen.filter((request) => request.path === path);
	}

	/** A client with short waits and credentials in use. */
	connect(options: Partial<HttpBackboneOptions> = {}): HttpBackbone {
		const backbone = HttpBackbone.open({
			baseUrl: this.baseUrl,
			clientId: 'client',
			clientSecret: 'the-client-secret',
			timeoutMs: 5_000,
			retry: { baseWaitMs: 1 },
			...options,
		});
		backbone.authentication.use({ username: 'USRme', password: 'the-device-password' });
		this.backbones.push(backbone);
		return backbone;
	}

	async close(): Promise<void> {
		for (const backbone of this.backbones) await backbone.close();
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

/** What a rejected call threw; fails when it did not. */
export async function failureOf(work: Promise<unknown>): Promise<Error & Record<string, unknown>> {
	try {
		await work;
	} catch (error) {
		return error as Error & Record<string, unknown>;
	}
	throw new Error('expected the call to be rejected');
}

/** Time that does not pass until it is moved. */
export class ManualClock {
	constructor(private ms: number) {}

	now(): number {
		return this.ms;
	}

	advance(byMs: number): void {
		this.ms += byMs;
	}
}

export const address = 'did:e:localhost:dids:0ad7aa581a7ffe0155968e';

export const createdAt = '2026-01-31T12:00:00.000Z';

export const relationshipBody = {
	id: 'REL00000000000000001',
	relationshipTemplateId: 'RLT00000000000000001',
	from: address,
	to: 'did:e:localhost:dids:3a29ae5c1f591bbd9a2aaa',
	createdAt,
	status: 'Pending',
	auditLog: [
		{
			createdAt,
			createdBy: address,
			createdByDevice: 'DVC00000000000000001',
			reason: 'Creation',
			oldStatus: null,
			newStatus: 'Pending',
		},
	],
	creationContent: 'eyJhIjoxfQ',
	creationResponseContent: null,
};

export const messageBody = (id = 'MSG00000000000000001') => ({
	id,
	createdAt,
	createdBy: address,
	createdByDevice: 'DVC00000000000000001',
	body: 'eyJhIjoxfQ',
	attachments: [],
	recipients: [
		{ address, encryptedKey: 'A'.repeat(200), receivedAt: null, receivedByDevice: null },
	],
});
