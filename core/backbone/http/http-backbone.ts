import type { Dispatcher } from 'undici';
import { systemClock, type Clock } from '../../base/clock';
import type { Instruments } from '../../base/observation/instruments';
import { silentLogger, type Logger } from '../../base/logger';
import { systemRandom, type Random } from '../../base/random';
import { AccessTokens } from './access-token';
import type { Backbone } from '../port/backbone';
import { BackboneCaller } from './backbone-caller';
import { backboneErrors } from '../backbone-errors';
import { normalizeBaseUrl, normalizePushUrl } from '../base-url';
import { checkClient } from './client-check';
import { ClockSkew } from './clock-skew';
import { Deadlines } from './deadline';
import { createHttpAgent, HttpAgent } from './http-agent';
import { HttpExchange } from './http-exchange';
import { PushService } from '../push/push-service';
import type { PushTimings } from '../push/push-timings';
import {
	createAnnouncementResource,
	createBackboneNotificationResource,
} from '../resources/announcements';
import { createChallengeResource } from '../resources/challenges';
import { createDeletionProcessResource } from '../resources/deletion-processes';
import { createFileResource } from '../resources/files';
import { createDeviceResource, createIdentityResource } from '../resources/identities';
import { createMessageResource } from '../resources/messages';
import { createRelationshipResource } from '../resources/relationships';
import { createDatawalletResource, createSyncRunResource } from '../resources/sync-runs';
import { createTagResource } from '../resources/tags';
import { createTemplateResource } from '../resources/templates';
import { createTokenResource } from '../resources/tokens';
import { defaultRetryLimits, type RetryLimits } from './retry-policy';
import { TokenEndpoint } from './token-endpoint';
import { VersionGate } from './version';

export interface HttpBackboneOptions {
	/** normalized, for example `https://backbone.example.com` */
	readonly baseUrl: string;
	/** address of the push service, normalized; default: the base address */
	readonly pushUrl?: string | undefined;
	readonly clientId: string;
	readonly clientSecret: string;
	/** limit per call, including answer body and retries; default 60 000 */
	readonly timeoutMs?: number | undefined;
	/** sent with every call, names in lower case */
	readonly additionalHeaders?: Readonly<Record<string, string>> | undefined;
	readonly clock?: Clock | undefined;
	readonly random?: Random | undefined;
	readonly logger?: Logger | undefined;
	/** observer of the exchanges with the Backbone; push is not observed */
	readonly instruments?: Instruments | undefined;
	readonly retry?: Partial<RetryLimits> | undefined;
	readonly push?: Partial<PushTimings> | undefined;
	/**
	 * Default: an agent of this client, which honours the proxy variables of the environment. The
	 * caller closes a dispatcher that it passes in.
	 */
	readonly dispatcher?: Dispatcher | undefined;
}

function requireClient(clientId: string, clientSecret: string): void {
	if (clientId === '') {
		throw backboneErrors.create('clientIdNotSet', { message: 'No client ID is given.' });
	}
	if (clientSecret === '') {
		throw backboneErrors.create('clientSecretNotSet', { message: 'No client secret is given.' });
	}
}

/** Backbone over HTTP/1.1. `open` does not connect; the first call does. */
export class HttpBackbone implements Backbone {
	readonly baseUrl: string;

	readonly version: Backbone['version'];

	readonly authentication: Backbone['authentication'];

	readonly identities: Backbone['identities'];

	readonly deletionProcesses: Backbone['deletionProcesses'];

	readonly devices: Backbone['devices'];

	readonly challenges: Backbone['challenges'];

	readonly datawallet: Backbone['datawallet'];

	readonly syncRuns: Backbone['syncRuns'];

	readonly templates: Backbone['templates'];

	readonly relationships: Backbone['relationships'];

	readonly messages: Backbone['messages'];

	readonly files: Backbone['files'];

	readonly tokens: Backbone['tokens'];

	readonly tags: Backbone['tags'];

	readonly announcements: Backbone['announcements'];

	readonly notifications: Backbone['notifications'];

	readonly push: Backbone['push'];

	private readonly pushService: PushService;

	private readonly skew: ClockSkew;

	private readonly deadlines: Deadlines;

	private readonly ownAgent: HttpAgent | undefined;

	private closing: Promise<void> | undefined;

	/**
	 * @throws `error.transport.general.baseUrlNotSet`, `error.transport.general.invalidBaseUrl`,
	 * `error.gateway.backbone.invalidPushUrl`, `error.transport.general.platformClientIdNotSet`,
	 * `error.transport.general.platformClientSecretNotSet`
	 */
	static open(options: HttpBackboneOptions): HttpBackbone {
		const baseUrl = normalizeBaseUrl(options.baseUrl);
		const pushUrl = options.pushUrl === undefined ? baseUrl : normalizePushUrl(options.pushUrl);
		requireClient(options.clientId, options.clientSecret);
		return new HttpBackbone({ ...options, baseUrl, pushUrl });
	}

	private constructor(options: HttpBackboneOptions & { readonly pushUrl: string }) {
		const { baseUrl, pushUrl, clientId, clientSecret, timeoutMs = 60_000 } = options;
		const { clock = systemClock, random = systemRandom, logger = silentLogger } = options;
		this.baseUrl = baseUrl;
		const { dispatcher: given } = options;
		const agent =
			given === undefined ? createHttpAgent(new URL(baseUrl).origin) : new HttpAgent(() => given);
		this.ownAgent = given === undefined ? agent : undefined;
		const retry = { ...defaultRetryLimits, ...options.retry };
		const skew = (this.skew = new ClockSkew(clock));
		const exchange = new HttpExchange(
			...([baseUrl, agent, clock, skew] as const),
			...([options.additionalHeaders, options.instruments] as const),
		);
		const deadlines = (this.deadlines = new Deadlines(timeoutMs, exchange.host));
		const shared = { exchange, deadlines, skew, clock, random, logger, retry, clientSecret };
		const endpoint = new TokenEndpoint({ ...shared, clientId });
		const tokens = new AccessTokens(endpoint, clock, (username, options) =>
			this.identities.isDeleted(username, options),
		);
		const version = new VersionGate(shared);
		const caller = new BackboneCaller({ ...shared, tokens, version });

		this.version = {
			get: ({ signal } = {}) =>
				deadlines.run({ method: 'GET', path: '/Version' }, signal, (linked) => version.get(linked)),
		};
		this.authentication = {
			use: (credentials) => tokens.use(credentials),
			verify: ({ signal } = {}) =>
				deadlines.run({ method: 'POST', path: '/connect/token' }, signal, async (linked) => {
					await tokens.get(linked);
				}),
			checkClient: ({ signal } = {}) => checkClient(endpoint, random, signal),
		};
		this.identities = createIdentityResource(caller, { clientId, clientSecret });
		this.deletionProcesses = createDeletionProcessResource(caller);
		this.devices = createDeviceResource(caller);
		this.challenges = createChallengeResource(caller);
		this.datawallet = createDatawalletResource(caller);
		this.syncRuns = createSyncRunResource(caller);
		this.templates = createTemplateResource(caller);
		this.relationships = createRelationshipResource(caller);
		this.messages = createMessageResource(caller);
		this.files = createFileResource(caller);
		this.tokens = createTokenResource(caller);
		this.tags = createTagResource(caller);
		this.announcements = createAnnouncementResource(caller);
		this.notifications = createBackboneNotificationResource(caller);
		const { additionalHeaders, push: pushTimings } = options;
		this.pushService = new PushService({
			...{ pushUrl, timeoutMs, clock, random, logger, tokens, clientSecret },
			...{ dispatcher: given, additionalHeaders, timings: pushTimings },
		});
		this.push = this.pushService.stream;
	}

	get clockSkewMs(): number | undefined {
		return this.skew.valueMs;
	}

	get serverTimeMs(): number | undefined {
		return this.skew.serverTimeMs;
	}

	close(): Promise<void> {
		this.closing ??= this.closeAll();
		return this.closing;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.close();
	}

	private async closeAll(): Promise<void> {
		this.deadlines.close();
		await this.pushService.close();
		await this.ownAgent?.destroy();
	}
}
