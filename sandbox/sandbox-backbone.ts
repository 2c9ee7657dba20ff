import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adminRoutes, requireOperator } from './admin';
import { CallLog } from './calls';
import { Faults, type FaultAction } from './faults';
import { BackboneError, Unauthorized } from './http/backbone-error';
import { JsonBody, readBody } from './http/body';
import type { Answer, Call, Caller, Sandbox } from './http/context';
import { Router } from './http/router';
import { PushStreams } from './push-stream';
import { AccessTokens } from './routes/authentication';
import { allRoutes } from './routes';
import { defaultSettings, servedApis, type SandboxSettings } from './settings';
import { ExternalEvents } from './state/external-events';
import { SandboxState } from './state/sandbox-state';
import { IdentityDeletions } from './state/identity-deletions';
import { removeWhatIsOver } from './state/housekeeping';
import { Notices } from './state/notices';
import { loadState, saveState } from './state/state-file';

export interface SandboxOptions extends Partial<SandboxSettings> {
	/** default: any free port */
	readonly port?: number;
	/** state is read from here at the start, and written every two seconds and at the end */
	readonly stateFile?: string;
	/** milliseconds added to the clock */
	readonly clockOffsetMs?: number;
}

const saveEveryMs = 2_000;
const jobEveryMs = 60_000;

/** An emulated Backbone on this machine's loopback interface (docs/protocol/backbone-api.md 23). */
export class SandboxBackbone {
	readonly faults = new Faults();

	readonly calls = new CallLog();

	private readonly router = new Router(allRoutes);

	private readonly adminRouter = new Router(adminRoutes);

	private readonly tokens: AccessTokens;

	private readonly push = new PushStreams();

	private readonly sandbox: Sandbox;

	private servers: Server[] = [];

	private saving: NodeJS.Timeout | undefined;

	private jobs: NodeJS.Timeout | undefined;

	private port = 0;

	private constructor(
		private readonly options: SandboxOptions,
		readonly state: SandboxState,
		private readonly clock: { offsetMs: number },
	) {
		const { port: _port, stateFile: _file, clockOffsetMs: _offset, ...changed } = options;
		const settings = { ...defaultSettings, ...changed };
		const events = new ExternalEvents(state, this.push);
		const deletions = new IdentityDeletions(state, events, this.push, settings);
		const notices = new Notices(state, this.push);
		const { push } = this;
		this.sandbox = { state, events, push, settings, deletions, notices, operator: this };
		this.tokens = new AccessTokens(state, settings, deletions);
	}

	static async open(options: SandboxOptions = {}): Promise<SandboxBackbone> {
		const clock = { offsetMs: options.clockOffsetMs ?? 0 };
		const state = new SandboxState(() => Date.now() + clock.offsetMs);
		if (options.stateFile !== undefined) loadState(state, options.stateFile);
		const backbone = new SandboxBackbone(options, state, clock);
		await backbone.listen();
		return backbone;
	}

	/** The host name is part of every address, so it is `localhost` and not a number. */
	get baseUrl(): string {
		return `http://localhost:${this.port}`;
	}

	/** For tests: events that nobody caused. */
	get events(): ExternalEvents {
		return this.sandbox.events;
	}

	/** For tests: what support and the jobs of the server do with deletion processes. */
	get deletions(): IdentityDeletions {
		return this.sandbox.deletions;
	}

	/** Announcements, notifications and tags. */
	get notices(): Notices {
		return this.sandbox.notices;
	}

	/** What a real server does from time to time by itself, as this one does every minute. */
	runJobs(): void {
		this.deletions.runJob();
		removeWhatIsOver(this.state);
	}

	/** Lets sync runs, tokens and templates expire without waiting. */
	advanceClock(durationMs: number): void {
		this.clock.offsetMs += durationMs;
	}

	revokeAccessTokens(): void {
		this.tokens.revokeAll();
	}

	async close(): Promise<void> {
		clearInterval(this.saving);
		clearInterval(this.jobs);
		this.push.close();
		await Promise.all(this.servers.map(closeServer));
		this.servers = [];
		this.save();
	}

	private async listen(): Promise<void> {
		const first = await this.bind('127.0.0.1', this.options.port ?? 0);
		this.port = (first.address() as AddressInfo).port;
		this.servers.push(first);
		try {
			// `localhost` may mean either address family.
			this.servers.push(await this.bind('::1', this.port));
		} catch {
			// A machine without IPv6 only has the first.
		}
		this.jobs = setInterval(() => this.runJobs(), jobEveryMs).unref();
		if (this.options.stateFile === undefined) return;
		this.saving = setInterval(() => this.save(), saveEveryMs).unref();
	}

	private bind(host: string, port: number): Promise<Server> {
		const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
			this.serve(request, response).catch(() => response.destroy());
		});
		return new Promise((resolve, reject) => {
			server.once('error', reject);
			server.listen(port, host, () => resolve(server));
		});
	}

	private save(): void {
		if (this.options.stateFile !== undefined) saveState(this.state, this.options.stateFile);
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const method = request.method ?? 'GET';
		const url = request.url ?? '/';
		// A clock that is wrong is seen by clients in this header.
		response.setHeader('date', new Date(this.state.now()).toUTCString());
		const fault = this.faults.take(method, url);
		if (fault?.kind === 'cutBefore') {
			request.socket.destroy();
			return;
		}
		if (fault?.kind === 'delay') await new Promise((done) => setTimeout(done, fault.durationMs));
		const body = await readBody(request).catch((error: unknown) => error as BackboneError);
		const isReplaced = fault?.kind === 'status';
		const answer = isReplaced
			? statusAnswer(fault)
			: await this.answer(request, response, url, body);
		if (answer === undefined) return;
		this.calls.add({ method, path: url, status: answer.status });
		if (fault?.kind === 'cutAfter') request.socket.destroy();
		else send(response, distorted(answer, fault), fault);
	}

	/** Undefined when the response is a stream that stays open. */
	private async answer(
		request: IncomingMessage,
		response: ServerResponse,
		url: string,
		body: Buffer | BackboneError,
	): Promise<Answer | undefined> {
		try {
			if (body instanceof Error) throw body;
			const [path = '', search = ''] = url.split('?', 2);
			const segments = path.split('/').filter((segment) => segment !== '');
			const plain = segments.join('/').toLowerCase();
			if (plain === 'connect/token') return this.tokens.answer(body);
			if (plain === 'health') return raw(200, 'Healthy', 'text/plain');
			const call = this.call(request, response, segments, search, body);
			if (segments[0]?.toLowerCase() === 'admin') return await this.administer(call, segments);
			if (plain === 'api/poc/publicrelationshiptemplatereferences') {
				call.caller();
				return { status: 200, result: [] };
			}
			return await this.route(call, segments);
		} catch (error) {
			return failure(error);
		}
	}

	private async route(call: Call, segments: readonly string[]): Promise<Answer | undefined> {
		const version = segments[1]?.toLowerCase();
		const isApi = segments[0]?.toLowerCase() === 'api' && (version === 'v1' || version === 'v2');
		if (!isApi) return raw(404, '', 'text/plain');
		if (segments.length === 3 && segments[2]?.toLowerCase() === 'sse') {
			this.push.connect(call.caller().identity.address, call.response);
			return undefined;
		}
		if (!servedApis(this.sandbox.settings).includes(version)) return raw(404, '', 'text/plain');
		const found = this.router.find(call.request.method ?? 'GET', segments.slice(2));
		if (found === undefined) return raw(404, '', 'text/plain');
		return await found.route.handle(
			Object.assign(call, { parameters: found.parameters }),
			this.sandbox,
		);
	}

	private async administer(call: Call, segments: readonly string[]): Promise<Answer> {
		requireOperator(call);
		const path = segments.length === 1 ? [''] : segments.slice(1);
		const found = this.adminRouter.find(call.request.method ?? 'GET', path);
		if (found === undefined) return raw(404, '', 'text/plain');
		const { route, parameters } = found;
		return await route.handle(Object.assign(call, { parameters }), this.sandbox);
	}

	private call(
		request: IncomingMessage,
		response: ServerResponse,
		segments: readonly string[],
		search: string,
		body: Buffer,
	): Call {
		let json: JsonBody | undefined;
		let caller: Caller | undefined;
		const optionalCaller = (): Caller | undefined => (caller ??= this.callerOf(request));
		return {
			request,
			response,
			version: segments[1]?.toLowerCase() === 'v2' ? 'v2' : 'v1',
			parameters: [],
			query: readQuery(search),
			body,
			json: () => (json ??= JsonBody.parse(body)),
			optionalCaller,
			caller: () => {
				const found = optionalCaller();
				if (found === undefined) throw new Unauthorized();
				return found;
			},
		};
	}

	private callerOf(request: IncomingMessage): Caller | undefined {
		const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
		const device = token === undefined ? undefined : this.tokens.deviceOf(token);
		const identity = device && this.state.identities.get(device.address);
		return device && identity && { device, identity };
	}
}

/** Names of parameters match in any case; a plus sign in a value stays one. */
function readQuery(search: string): URLSearchParams {
	const query = new URLSearchParams();
	for (const [name, value] of new URLSearchParams(search.replaceAll('+', '%2B'))) {
		query.append(name.toLowerCase(), value);
	}
	return query;
}

function failure(error: unknown): Answer {
	if (error instanceof Unauthorized) {
		return { status: 401, raw: '', headers: { 'www-authenticate': 'Bearer' } };
	}
	const known =
		error instanceof BackboneError
			? error
			: new BackboneError(500, 'error.platform.unexpected', 'An unexpected error occurred.');
	if (!(error instanceof BackboneError)) process.stderr.write(`sandbox: ${String(error)}\n`);
	return raw(known.status, JSON.stringify(known), 'application/json');
}

function raw(status: number, body: string, type: string): Answer {
	return { status, raw: body, headers: { 'content-type': type } };
}

function statusAnswer(fault: Extract<FaultAction, { kind: 'status' }>): Answer {
	const body = fault.body === undefined ? '' : JSON.stringify(fault.body);
	return {
		status: fault.status,
		raw: body,
		headers: { 'content-type': 'application/json', ...fault.headers },
	};
}

function distorted(answer: Answer, fault: FaultAction | undefined): Answer {
	if (fault?.kind === 'malformedBody') return raw(answer.status, '<html>not JSON', 'text/html');
	if (fault?.kind !== 'oversizedPage') return answer;
	return { status: 200, result: Array.from({ length: fault.items }, () => ({})) };
}

function send(response: ServerResponse, answer: Answer, fault: FaultAction | undefined): void {
	if (!('raw' in answer) && !('result' in answer)) {
		response.writeHead(answer.status).end();
		return;
	}
	const { body, headers } =
		'raw' in answer
			? { body: answer.raw, headers: answer.headers }
			: { body: envelope(answer), headers: { 'content-type': 'application/json' } };
	const length = Buffer.byteLength(body);
	response.writeHead(answer.status, { ...headers, 'content-length': length });
	if (fault?.kind !== 'truncatedBody') {
		response.end(body);
		return;
	}
	response.write(Buffer.from(body).subarray(0, length / 2), () => response.destroy());
}

function envelope(answer: Extract<Answer, { result: unknown }>): string {
	const { result, pagination } = answer;
	return JSON.stringify(pagination === undefined ? { result } : { result, pagination });
}

function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
