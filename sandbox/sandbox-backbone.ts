import { randomInt } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { addressHostnameOf, pseudonymOf } from './address';
import { adminRoutes, requireOperator } from './admin';
import { CallLog } from './calls';
import { Faults } from './faults';
import {
	distorted,
	failure,
	raw,
	send,
	standardHeaders,
	statusAnswer,
	unsupportedType,
} from './http/answer';
import { BackboneError, notFound } from './http/backbone-error';
import { readBody } from './http/body';
import { ok, type Answer, type Caller, type Route, type Sandbox } from './http/context';
import { linkPage } from './http/link-page';
import { Listener } from './http/listener';
import { isPath, segmentsOf } from './http/path';
import { Router } from './http/router';
import { ServerCall } from './http/server-call';
import { PushStreams } from './push-stream';
import { AccessTokens } from './routes/authentication';
import { allRoutes } from './routes';
import type { SandboxOptions } from './options';
import { defaultSettings, servedApis, type SandboxSettings } from './settings';
import { ExternalEvents } from './state/external-events';
import { EventQueues } from './state/event-queues';
import { executeTask } from './state/queued-work';
import { SandboxState } from './state/sandbox-state';
import { IdentityDeletions } from './state/identity-deletions';
import { removeExpired } from './state/housekeeping';
import { OperatorTexts } from './state/operator-texts';
import { Quotas } from './state/quotas';
import { StateFile } from './state/state-file';

export type { SandboxOptions };

const jobEveryMs = 60_000;
/** bytes of the request line, including the method (docs/protocol/backbone-api.md 2.10) */
const maxRequestLine = 8_192;

/** Emulated Backbone on this machine (docs/protocol/backbone-api.md 23). */
export class SandboxBackbone {
	readonly faults = new Faults();

	readonly calls = new CallLog();

	/** Controls when events arrive and which ones are lost, for tests. */
	readonly queues: EventQueues;

	/** wallet in which links of this Backbone open; links say what they are for without one */
	walletUrl: string | undefined;

	private readonly router = new Router(allRoutes);

	private readonly adminRouter = new Router(adminRoutes);

	private readonly tokens: AccessTokens;

	private readonly sandbox: Sandbox;

	private listener: Listener | undefined;

	/** listener of the push stream when it is a separate service */
	private pushListener: Listener | undefined;

	private jobs: NodeJS.Timeout | undefined;

	private constructor(
		readonly state: SandboxState,
		private readonly file: StateFile | undefined,
		settings: SandboxSettings,
		private readonly publicUrl: string | undefined,
	) {
		const push = new PushStreams(settings.pushKeepAliveSeconds);
		this.queues = new EventQueues(state, settings);
		const events = new ExternalEvents(state, this.queues, push, settings);
		const pseudonym = pseudonymOf(settings.hostname);
		this.queues.onDue = (task) => executeTask(task, state, events, pseudonym);
		const deletions = new IdentityDeletions(state, events, this.queues, push, settings);
		const operatorTexts = new OperatorTexts(state, push);
		const quotas = new Quotas(state, this.queues);
		const { queues } = this;
		this.sandbox = {
			state,
			events,
			queues,
			push,
			settings,
			deletions,
			operatorTexts,
			quotas,
			operator: this,
		};
		this.tokens = new AccessTokens(this.sandbox);
	}

	/**
	 * @throws Error with `error.sandbox.portInUse`, `error.sandbox.noSuchAddress`,
	 * `error.sandbox.stateFileUnreadable`
	 */
	static async open(options: SandboxOptions = {}): Promise<SandboxBackbone> {
		const { port = 0, listen, publicUrl, stateFile, clockOffsetMs, ...changed } = options;
		const state = new SandboxState();
		const file = stateFile === undefined ? undefined : StateFile.open(state, stateFile);
		if (clockOffsetMs !== undefined) state.clockOffsetMs = clockOffsetMs;
		const settings = {
			...defaultSettings,
			...(publicUrl === undefined ? {} : { hostname: addressHostnameOf(publicUrl) }),
			seed: randomInt(2 ** 31),
			...changed,
		};
		const backbone = new SandboxBackbone(state, file, settings, publicUrl);
		await backbone.listen(port, listen);
		return backbone;
	}

	/** Seed of all random behaviour; the same seed repeats a run. */
	get seed(): number {
		return this.sandbox.settings.seed;
	}

	/** Base URL. Its host name is part of every address, so it is `localhost` instead of a number. */
	get baseUrl(): string {
		return this.publicUrl ?? this.localUrl;
	}

	/** Base URL for clients on this machine. */
	get localUrl(): string {
		return `http://localhost:${this.listener?.port}`;
	}

	/** URL of the push stream. */
	get pushUrl(): string {
		return `http://localhost:${(this.pushListener ?? this.listener)?.port}`;
	}

	/** Silences the identity's push stream, which stays open, for tests. */
	loseRegistration(address: string): void {
		this.sandbox.push.loseRegistration(address);
	}

	/** Sends events without a cause, and messages again, for tests. */
	get events(): ExternalEvents {
		return this.sandbox.events;
	}

	/** Deletion processes as support and the server's jobs change them, for tests. */
	get deletions(): IdentityDeletions {
		return this.sandbox.deletions;
	}

	/** Announcements, notifications and tags. */
	get operatorTexts(): OperatorTexts {
		return this.sandbox.operatorTexts;
	}

	/** Runs the server's periodic jobs, which also run every minute. */
	runJobs(): void {
		this.deletions.runJob();
		removeExpired(this.state);
		this.tokens.forgetExpired();
		this.file?.flush();
	}

	/** Advances the clock, so that sync runs, tokens and templates expire without waiting. */
	advanceClock(durationMs: number): void {
		this.state.clockOffsetMs += durationMs;
	}

	revokeAccessTokens(): void {
		this.tokens.revokeAll();
	}

	/** Waits for calls in progress, but not for push streams. */
	async close(): Promise<void> {
		clearInterval(this.jobs);
		this.queues.close();
		this.sandbox.push.close();
		await Promise.all([this.listener?.close(), this.pushListener?.close()]);
		this.file?.close();
	}

	private async listen(port: number, listen: string | undefined): Promise<void> {
		const serve: RequestListener = (request, response) => {
			this.serve(request, response).catch(() => response.destroy());
		};
		this.listener = await Listener.open(port, serve, listen);
		if (this.sandbox.settings.pushAt === 'own') {
			this.pushListener = await Listener.open(0, (request, response) => {
				this.servePush(request, response);
			});
		}
		this.jobs = setInterval(() => this.runJobs(), jobEveryMs).unref();
	}

	/** Serves the push service, which accepts the same tokens and offers streams only. */
	private servePush(request: IncomingMessage, response: ServerResponse): void {
		const segments = segmentsOf((request.url ?? '/').split('?')[0] ?? '');
		const callerOf = (token: string): Caller | undefined => this.tokens.callerOf(token, undefined);
		try {
			const isStream = ['v1', 'v2'].some((version) => isPath(segments, 'api', version, 'sse'));
			if (!isStream) throw new BackboneError(404, '', '');
			this.openStream(new ServerCall(request, response, segments, '', Buffer.alloc(0), callerOf));
		} catch (error) {
			response.writeHead(error instanceof BackboneError ? error.status : 401).end();
		}
	}

	private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const startedAtMs = this.state.now();
		const { method = 'GET', url = '/' } = request;
		const fault = this.faults.take(method, url);
		if (fault?.kind === 'cutBefore') {
			request.socket.destroy();
			return;
		}
		const body = await readBody(request).catch((error: unknown) => {
			if (error instanceof BackboneError) return error;
			throw error;
		});
		// The request has arrived, so it is carried out even if its sender does not wait.
		if (fault?.kind === 'delay') await new Promise((done) => setTimeout(done, fault.durationMs));
		const answer =
			fault?.kind === 'status'
				? statusAnswer(fault)
				: await this.answer(request, response, url, body);
		if (answer === undefined) return;
		this.calls.add({ method, path: url, status: answer.status });
		if (fault?.kind === 'cutAfter') {
			request.socket.destroy();
			return;
		}
		const headers = standardHeaders(request, startedAtMs, this.state.now());
		if (this.listener?.isClosing) headers['connection'] = 'close';
		const { majorVersion } = this.sandbox.settings;
		send(response, distorted(answer, fault, majorVersion), headers, fault, majorVersion);
	}

	/**
	 * Answers a call; undefined if the response is a stream that stays open. Changes are written
	 * first.
	 */
	private async answer(
		request: IncomingMessage,
		response: ServerResponse,
		url: string,
		body: Buffer | BackboneError,
	): Promise<Answer | undefined> {
		try {
			if (body instanceof Error) throw body;
			this.queues.deliverDue();
			return await this.route(request, response, url, body);
		} catch (error) {
			return failure(error);
		} finally {
			this.file?.flush();
		}
	}

	private async route(
		request: IncomingMessage,
		response: ServerResponse,
		url: string,
		body: Buffer,
	): Promise<Answer | undefined> {
		const { method = 'GET' } = request;
		if (method.length + url.length + ' HTTP/1.1 '.length > maxRequestLine) return raw(414, '');
		const end = url.indexOf('?');
		const path = end < 0 ? url : url.slice(0, end);
		const segments = segmentsOf(path);
		const first = segments[0]?.toLowerCase();
		const { host } = request.headers;
		if (isPath(segments, 'connect', 'token')) return this.tokens.answer(body, host);
		if (isPath(segments, 'health')) return raw(200, 'Healthy');
		const search = end < 0 ? '' : url.slice(end + 1);
		const call = new ServerCall(request, response, segments, search, body, (token) =>
			this.tokens.callerOf(token, host),
		);
		if (first === 'admin') return await this.administer(call);
		if (first === 'r' && method === 'GET') return linkPage(this.walletUrl);
		if (first !== 'api') return raw(404, '');
		if (isPath(segments, 'api', 'poc', 'publicrelationshiptemplatereferences')) {
			call.caller();
			return ok(this.operatorTexts.publicReferences);
		}
		return await this.callApi(call);
	}

	private async callApi(call: ServerCall): Promise<Answer | undefined> {
		const { segments } = call;
		const version = segments[1]?.toLowerCase();
		if (version !== 'v1' && version !== 'v2') return raw(404, '');
		// The push server is a separate service and always serves both versions.
		if (isPath(segments.slice(2), 'sse')) {
			const isHere = this.sandbox.settings.pushAt === 'same';
			return isHere ? this.openStream(call) : raw(404, '');
		}
		if (!servedApis(this.sandbox.settings).includes(version)) return raw(404, '');
		const found = this.router.find(call.request.method ?? 'GET', segments.slice(2));
		if (found === undefined) return raw(404, '');
		if (found.route.isAnonymous !== true) call.caller();
		if (!isExpectedType(call, found.route)) return unsupportedType;
		return await this.handle(found, call);
	}

	private async administer(call: ServerCall): Promise<Answer> {
		requireOperator(call);
		const { segments } = call;
		const path = segments.length === 1 ? [''] : segments.slice(1);
		const found = this.adminRouter.find(call.request.method ?? 'GET', path);
		if (found === undefined) throw notFound('Administrative call (GET /admin lists them)');
		return await this.handle(found, call);
	}

	private async handle(
		{ route, parameters }: { readonly route: Route; readonly parameters: readonly string[] },
		call: ServerCall,
	): Promise<Answer> {
		call.parameters = parameters;
		return await route.handle(call, this.sandbox);
	}

	/** Opens a push stream. The connection doubles as the device's registration and is not stored. */
	private openStream(call: ServerCall): undefined {
		const { identity, device } = call.caller();
		const { state, push } = this.sandbox;
		device.pushIdentifier = state.newId('DPI');
		push.connect(identity.address, device.id, call.response, () => {
			device.pushIdentifier = undefined;
		});
	}
}

/**
 * Checks the content type, even if the body is not needed or empty (docs/protocol/backbone-api.md
 * 2.2). Official clients send a form type with a PATCH that has no body.
 */
function isExpectedType({ body, request }: ServerCall, { method, path }: Route): boolean {
	if (method === 'GET' || path === 'files') return true;
	const type = request.headers['content-type'] ?? '';
	if (body.length === 0 && (type === '' || method === 'PATCH')) return true;
	return /^application\/(.+\+)?json\b/i.test(type);
}
