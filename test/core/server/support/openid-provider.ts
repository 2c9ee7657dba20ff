import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';

/** What a person gives back at the provider, besides the honest answer. */
export interface Answering {
	/** claims in the ID token */
	readonly claims?: object;
	/** claims in the user information */
	readonly userInfo?: object;
	readonly nonce?: string;
	readonly audience?: string;
}

const clientId = 'gateway';

/** A small provider of OpenID Connect on loopback, which signs with a real key. */
export class OpenIdProvider {
	/** what the next sign-in gives */
	answering: Answering = {};

	/** true while it answers with failures only */
	isAway = false;

	/** true while its answers have some 2 MB, which compress to almost nothing */
	isEndless = false;

	private readonly begun = new Map<string, URLSearchParams>();

	private readonly secret = 'The secret of this client of the provider';

	private constructor(
		private readonly server: Server,
		private readonly keys: { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey },
	) {}

	static async open(): Promise<OpenIdProvider> {
		const server = createServer();
		const provider = new OpenIdProvider(server, await generateKeyPair('RS256'));
		server.on('request', (incoming, outgoing) => void provider.answer(incoming, outgoing));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return provider;
	}

	get issuer(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	/** Settings with which a gateway uses this provider. */
	settings(page: string, others: object = {}): object {
		const { issuer, secret: clientSecret } = this;
		return { issuer, clientId, clientSecret, address: page, ...others };
	}

	/** Signs a person in, as their browser would, and gives the address to which it is sent. */
	consent(authorizationAddress: string): string {
		const { searchParams } = new URL(authorizationAddress);
		const code = `code-${this.begun.size}`;
		this.begun.set(code, searchParams);
		const back = new URL(searchParams.get('redirect_uri') ?? '');
		back.search = String(
			new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: this.issuer }),
		);
		return back.href;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const { issuer } = this;
		const path = incoming.url?.split('?')[0];
		const known: Record<string, () => unknown> = {
			'/.well-known/openid-configuration': () => ({
				issuer,
				authorization_endpoint: `${issuer}/authorize`,
				token_endpoint: `${issuer}/token`,
				userinfo_endpoint: `${issuer}/userinfo`,
				jwks_uri: `${issuer}/keys`,
				authorization_response_iss_parameter_supported: true,
				id_token_signing_alg_values_supported: ['RS256'],
			}),
			'/keys': async () => ({
				keys: [{ ...(await exportJWK(this.keys.publicKey)), alg: 'RS256', use: 'sig' }],
			}),
			'/token': () => this.token(incoming),
			'/userinfo': () => ({ sub: 'person-1', ...this.answering.userInfo }),
		};
		const found = this.isAway ? undefined : await known[path ?? '']?.();
		const headers = { 'content-type': 'application/json' };
		if (this.isEndless) {
			outgoing.writeHead(200, { ...headers, 'content-encoding': 'gzip' });
			outgoing.end(gzipSync(JSON.stringify(found).padEnd(2_000_000)));
			return;
		}
		outgoing.writeHead(found === undefined ? 400 : 200, headers);
		outgoing.end(JSON.stringify(found ?? { error: 'invalid_grant' }));
	}

	/** Each code once. */
	private async token(incoming: IncomingMessage): Promise<unknown> {
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) chunks.push(chunk as Buffer);
		const code = new URLSearchParams(Buffer.concat(chunks).toString()).get('code') ?? '';
		const begun = this.begun.get(code);
		if (begun === undefined) return undefined;
		this.begun.set(code, new URLSearchParams());
		if (begun.get('nonce') === null) return undefined;
		const { claims, nonce = begun.get('nonce'), audience = clientId } = this.answering;
		const idToken = await new SignJWT({ nonce, ...claims })
			.setProtectedHeader({ alg: 'RS256' })
			.setSubject('person-1')
			.setIssuer(this.issuer)
			.setAudience(audience)
			.setIssuedAt()
			.setExpirationTime('5m')
			.sign(this.keys.privateKey);
		return { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: idToken };
	}
}
