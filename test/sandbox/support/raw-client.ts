import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxBackbone, type SandboxOptions } from '../../../sandbox/sandbox-backbone';
import {
	NeedsSandbox,
	NotServed,
	OtherBackbone,
	target,
	type BackboneClient,
} from '../../support/backbone/backbone-target';

export type Api = 'v1' | 'v2';

export interface RawAnswer {
	readonly status: number;
	/** undefined when there is no body */
	readonly body: unknown;
	/** of an answer in the error envelope */
	readonly code: string | undefined;
	/** of an answer in the success envelope */
	readonly result: Record<string, unknown>;
	readonly headers: Headers;
}

export const bytesOf = (value: unknown): string =>
	Buffer.from(JSON.stringify(value)).toString('base64url');

/** A byte field of so many bytes. */
export const bytes = (length: number): string => Buffer.alloc(length, 1).toString('base64url');

export const strongPassword = 'Aa1!correct-horse';

/** An identity of the sandbox that speaks plain HTTP: what a client library would hide is seen. */
export class RawAccount {
	private token: string | undefined;

	constructor(
		private readonly bench: RuleBench,
		readonly api: Api,
		readonly address: string,
		readonly username: string,
		readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
	) {}

	/** The header of that name. */
	get authorization(): string {
		return `Bearer ${this.token ?? ''}`;
	}

	async logIn(password = strongPassword): Promise<RawAnswer> {
		const answer = await this.bench.logIn({ username: this.username, password });
		const token = (answer.body as Record<string, unknown> | undefined)?.['access_token'];
		if (typeof token === 'string') this.token = token;
		return answer;
	}

	async call(
		method: string,
		path: string,
		body?: unknown,
		headers: object = {},
	): Promise<RawAnswer> {
		const giveUpAt = performance.now() + eventPatienceMs;
		for (;;) {
			const answer = await this.bench.call(method, `/api/${this.api}/${path}`, body, {
				authorization: this.authorization,
				...headers,
			});
			const mayBeEarly = target !== undefined && path === 'SyncRuns' && hasNoRun(answer);
			if (!mayBeEarly || performance.now() >= giveUpAt) return answer;
			await sleep(100);
		}
	}

	stream(signal: AbortSignal): Promise<Response> {
		return fetch(`${this.bench.baseUrl}/api/${this.api}/sse`, {
			headers: { authorization: this.authorization },
			signal,
		});
	}

	/** The content of a file as text. */
	async download(id: string): Promise<string> {
		const response = await fetch(`${this.bench.baseUrl}/api/${this.api}/Files/${id}`, {
			headers: { authorization: this.authorization },
		});
		return await response.text();
	}

	async template(more: object = {}): Promise<string> {
		const answer = await this.call('POST', 'RelationshipTemplates', { content: bytes(9), ...more });
		return String(answer.result['id']);
	}

	/** Events that a new sync run brings; the run is finalised. */
	async sync(): Promise<Array<Record<string, unknown>>> {
		const run = await this.call('POST', 'SyncRuns', {}, datawallet);
		const { syncRun } = run.result as { syncRun?: { id: string } | null };
		if (syncRun === null || syncRun === undefined) return [];
		const path = `SyncRuns/${syncRun.id}`;
		const events = (await this.call('GET', `${path}/ExternalEvents`)).result as unknown as Array<
			Record<string, unknown>
		>;
		const externalEventResults = events.map(({ id }) => ({ externalEventId: id }));
		await this.call('PUT', `${path}/FinalizeExternalEventSync`, { externalEventResults });
		return events;
	}
}

/** until a server has told what it makes of a call; a sandbox of the test tells at once */
const eventPatienceMs = 1_500;

function hasNoRun({ result }: RawAnswer): boolean {
	return result['status'] === 'NoNewEvents';
}

export const datawallet = { 'x-supported-datawallet-version': '1' };

/** The Backbone of one test file, of which nothing is known but its address. */
export class RuleBench {
	/** called after each answer */
	onAnswer: (() => void) | undefined;

	protected constructor(readonly client: Omit<BackboneClient, 'pushUrl'>) {}

	/**
	 * The server that the run is for, else a new sandbox.
	 *
	 * @throws OtherBackbone when the run is for a server of another major version
	 */
	static async open(options: { readonly majorVersion?: 6 | 7 } = {}): Promise<RuleBench> {
		if (target === undefined) return await SandboxBench.open(options);
		const { majorVersion = target.majorVersion } = options;
		if (majorVersion !== target.majorVersion) throw new OtherBackbone(majorVersion);
		return new RuleBench(target);
	}

	get baseUrl(): string {
		return this.client.baseUrl;
	}

	async close(): Promise<void> {
		// A server stays.
	}

	/**
	 * @param body is sent as it is when it is a text or bytes, else as JSON
	 * @throws NeedsSandbox for what only a sandbox has, when the run is for a server; NotServed for a version
	 * of the interface that the server does not have
	 */
	async call(
		method: string,
		path: string,
		body?: unknown,
		headers: object = {},
	): Promise<RawAnswer> {
		if (target !== undefined && path.startsWith('/admin/')) throw new NeedsSandbox();
		if (target?.servesV1 === false && path.startsWith('/api/v1/')) throw new NotServed();
		const response = await fetch(`${this.baseUrl}${path}`, {
			method,
			headers: { 'content-type': 'application/json', ...headers },
			...(body === undefined ? {} : { body: sentBody(body) }),
		});
		const text = await response.text();
		this.onAnswer?.();
		const parsed = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
		const error = parsed?.['error'];
		const code = typeof error === 'object' ? (error as { code: string }).code : undefined;
		const result = (parsed?.['result'] ?? {}) as Record<string, unknown>;
		return { status: response.status, body: parsed, code, result, headers: response.headers };
	}

	logIn(form: Record<string, string>): Promise<RawAnswer> {
		const { clientId, clientSecret } = this.client;
		const own = { client_id: clientId, client_secret: clientSecret };
		const all = { grant_type: 'password', ...own, ...form };
		return this.call('POST', '/connect/token', new URLSearchParams(all).toString(), {
			'content-type': 'application/x-www-form-urlencoded',
		});
	}

	/** What is posted to create an identity; the parts can be replaced. */
	async identityBody(
		api: Api,
		keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } = generateKeyPairSync(
			'ed25519',
		),
		change: { readonly challengeId?: string; readonly signedBy?: KeyObject } = {},
	) {
		const created = await this.call('POST', `/api/${api}/Challenges`, {});
		const { id, expiresAt } = created.result;
		const challenge = JSON.stringify({
			expiresAt,
			id: change.challengeId ?? id,
			type: 'Identity',
		});
		const signer = change.signedBy ?? keys.privateKey;
		const sig = sign(null, Buffer.from(challenge), signer).toString('base64url');
		const { x: pub } = keys.publicKey.export({ format: 'jwk' });
		return {
			clientId: this.client.clientId,
			clientSecret: this.client.clientSecret,
			identityPublicKey: bytesOf({ pub, alg: 3, '@type': 'CryptoSignaturePublicKey' }),
			devicePassword: strongPassword,
			identityVersion: 1,
			signedChallenge: {
				challenge,
				signature: bytesOf({ sig, alg: 2, '@type': 'CryptoSignature' }),
			},
		};
	}

	/** An identity with a datawallet that is logged in. */
	async account(api: Api = 'v2'): Promise<RawAccount> {
		const keys = generateKeyPairSync('ed25519');
		const body = await this.identityBody(api, keys);
		const { result } = await this.call('POST', `/api/${api}/Identities`, body);
		const { address, device } = result as { address: string; device: { username: string } };
		const account = new RawAccount(this, api, address, device.username, keys);
		await account.logIn();
		const upgrade = { type: 'DatawalletVersionUpgrade' };
		const run = await account.call('POST', 'SyncRuns', upgrade, datawallet);
		const { syncRun } = run.result as { syncRun: { id: string } };
		await account.call('PUT', `SyncRuns/${syncRun.id}/FinalizeDatawalletVersionUpgrade`, {
			newDatawalletVersion: 1,
		});
		return account;
	}

	/** Another device of the identity, that never logged in. */
	async addDevice(account: RawAccount, more: object = {}): Promise<RawAnswer> {
		const { signedChallenge } = await this.identityBody(account.api, account.keys);
		const body = { devicePassword: strongPassword, signedChallenge, ...more };
		return await account.call('POST', 'Devices', body);
	}

	/** The same identity on another device, that is logged in. */
	async secondDevice(account: RawAccount): Promise<RawAccount> {
		const { username } = (await this.addDevice(account)).result;
		const { api, address, keys } = account;
		const device = new RawAccount(this, api, address, String(username), keys);
		await device.logIn();
		return device;
	}

	/** `to` has the template, `from` asked for the relationship; it is pending. */
	async pending(api: Api = 'v2') {
		const [to, from] = [await this.account(api), await this.account(api)];
		const relationshipTemplateId = await to.template();
		const { result } = await from.call('POST', 'Relationships', { relationshipTemplateId });
		return { to, from, relationshipTemplateId, id: String(result['id']) };
	}

	async active(api: Api = 'v2') {
		const parties = await this.pending(api);
		await parties.to.call('PUT', `Relationships/${parties.id}/Accept`, {});
		await parties.to.sync();
		await parties.from.sync();
		return parties;
	}
}

/** A bench on a sandbox, with its controls: clock, faults, queues, stored rows. */
export class SandboxBench extends RuleBench {
	constructor(readonly sandbox: SandboxBackbone) {
		super({ baseUrl: sandbox.baseUrl, clientId: 'test', clientSecret: 'test' });
	}

	/** @throws NeedsSandbox when the run is for a server */
	static override async open(options: SandboxOptions = {}): Promise<SandboxBench> {
		if (target !== undefined) throw new NeedsSandbox();
		return new SandboxBench(await SandboxBackbone.open(options));
	}

	override close(): Promise<void> {
		return this.sandbox.close();
	}
}

/**
 * The controls, for single tests among others that need none.
 *
 * @throws NeedsSandbox when the run is for a server
 */
export function sandboxOf(bench: RuleBench): SandboxBackbone {
	if (bench instanceof SandboxBench) return bench.sandbox;
	throw new NeedsSandbox();
}

/**
 * Begins a test of what a server does a while after its answer, and a kind sandbox at once.
 *
 * @throws NeedsSandbox when the run is for a server
 */
export function requireAtOnce(bench: RuleBench): void {
	sandboxOf(bench);
}

function sentBody(body: unknown): string | Uint8Array<ArrayBuffer> {
	if (typeof body === 'string') return body;
	return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
}

export const unknownId = (prefix: string): string =>
	`${prefix}${randomBytes(17).toString('hex').slice(0, 17)}`;

export const message = (...addresses: readonly string[]) => ({
	recipients: addresses.map((address) => ({ address, encryptedKey: bytes(152) })),
	body: bytes(9),
	attachments: [],
});
