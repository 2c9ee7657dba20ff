import { randomBytes } from 'node:crypto';
import type { Configuration } from 'openid-client';
import { systemClock } from '../../base/clock';
import { madeOnce } from '../../base/single-flight';
import type { Logger } from '../../base/logger';
import { errorCodeOrName } from '../../base/members';
import { ownMember, ownText } from '../../model/json';
import { providerFetch } from '../authentication/provider-fetch';
import type { OpenIdConfig } from '../config/admin-config';
import { serverErrors } from '../server-errors';

const pendingForMs = 10 * 60_000;
const mostPending = 1_000;
const timeoutSeconds = 10;
const maxName = 200;
const maxRoles = 100;

/** Where a browser is sent, and what it has to bring back. */
export interface BegunSignIn {
	readonly address: string;
	/** value of the cookie that binds the answer of the provider to this browser */
	readonly browser: string;
}

/** A person, as the provider describes them. */
export interface SignedInPerson {
	readonly name: string;
	/** roles of this gateway */
	readonly roles: readonly string[];
}

interface Pending {
	readonly state: string;
	readonly nonce: string;
	readonly verifier: string;
	readonly untilMs: number;
}

/**
 * Signs people in by a provider of OpenID Connect: authorization code with PKCE, state and nonce.
 * What a sign-in has to bring back is kept in memory; a restart ends sign-ins that have begun.
 */
export class SignInByProvider {
	private readonly pending = new Map<string, Pending>();

	/** The provider may have been away for a moment, so the next person tries it again. */
	private readonly discovered = madeOnce(() => this.discover());

	constructor(
		private readonly config: OpenIdConfig,
		private readonly logger: Logger,
	) {}

	/** @throws `error.gateway.http.signInFailed` if the provider does not answer */
	async begin(): Promise<BegunSignIn> {
		const library = await import('./openid-client');
		const provider = await this.provider();
		const now = systemClock.now();
		for (const [id, { untilMs }] of this.pending) if (untilMs <= now) this.pending.delete(id);
		const [oldest] = this.pending.keys();
		if (this.pending.size >= mostPending && oldest !== undefined) this.pending.delete(oldest);
		const verifier = library.randomPKCECodeVerifier();
		const [state, nonce] = [library.randomState(), library.randomNonce()];
		const browser = randomBytes(32).toString('base64url');
		this.pending.set(browser, { state, nonce, verifier, untilMs: now + pendingForMs });
		const address = library.buildAuthorizationUrl(provider, {
			redirect_uri: this.callbackAddress(),
			scope: this.config.scope,
			code_challenge: await library.calculatePKCECodeChallenge(verifier),
			code_challenge_method: 'S256',
			...{ state, nonce },
		});
		return { address: address.href, browser };
	}

	/**
	 * Takes the answer that the browser brings from the provider; each begun sign-in once.
	 *
	 * @param browser value of the cookie of {@link begin}
	 * @param query of the address to which the provider has sent the browser
	 * @throws `error.gateway.http.signInFailed`
	 */
	async finish(browser: string, query: string): Promise<SignedInPerson> {
		const begun = this.pending.get(browser);
		this.pending.delete(browser);
		if (begun === undefined || begun.untilMs <= systemClock.now()) {
			throw failed('This sign-in was not begun in this browser, or too long ago.');
		}
		const library = await import('./openid-client');
		const provider = await this.provider();
		try {
			const address = new URL(this.callbackAddress());
			address.search = query;
			const tokens = await library.authorizationCodeGrant(provider, address, {
				pkceCodeVerifier: begun.verifier,
				expectedState: begun.state,
				expectedNonce: begun.nonce,
				idTokenExpected: true,
			});
			const claims: object = tokens.claims() ?? {};
			const subject = ownText(claims, 'sub') ?? '';
			const inToken = rolesAt(claims, this.config.rolesPath);
			const named =
				inToken ??
				rolesAt(
					await library.fetchUserInfo(provider, tokens.access_token, subject),
					this.config.rolesPath,
				) ??
				[];
			return { name: nameOf(claims, subject), roles: this.ownRoles(named) };
		} catch (cause) {
			this.logger.info('a sign-in by the provider failed', { reason: errorCodeOrName(cause) });
			throw failed('The provider did not confirm the sign-in.', cause);
		}
	}

	private callbackAddress(): string {
		return new URL('openid-callback', this.config.address).href;
	}

	private ownRoles(named: readonly string[]): readonly string[] {
		const { roles } = this.config;
		if (roles === undefined) return named;
		return named.flatMap((name) => (Object.hasOwn(roles, name) ? (roles[name] ?? []) : []));
	}

	private async provider(): Promise<Configuration> {
		try {
			return await this.discovered();
		} catch (cause) {
			this.logger.warn('the provider of sign-ins did not answer', {
				reason: errorCodeOrName(cause),
			});
			throw failed('The provider of sign-ins does not answer.', cause);
		}
	}

	private async discover(): Promise<Configuration> {
		const { allowInsecureRequests, customFetch, discovery } = await import('./openid-client');
		const { issuer, clientId, clientSecret } = this.config;
		// The schema of the settings accepts http for addresses of this machine only.
		const isLocal = issuer.startsWith('http:');
		return await discovery(new URL(issuer), clientId, clientSecret, undefined, {
			timeout: timeoutSeconds,
			[customFetch]: providerFetch,
			...(isLocal ? { execute: [allowInsecureRequests] } : {}),
		});
	}
}

function failed(message: string, cause?: unknown): Error {
	return serverErrors.create('signInFailed', { message, cause });
}

/** Texts of the list at a path; undefined if there is none. */
function rolesAt(claims: object, path: string): readonly string[] | undefined {
	let found: unknown = claims;
	for (const name of path.split('.')) found = ownMember(found, name);
	if (typeof found === 'string') return found.split(' ').filter(Boolean).slice(0, maxRoles);
	if (!Array.isArray(found)) return undefined;
	return found.filter((role): role is string => typeof role === 'string').slice(0, maxRoles);
}

/** Name by which colleagues know the person. */
function nameOf(claims: object, subject: string): string {
	const names = ['preferred_username', 'email', 'name'].map((name) => ownText(claims, name));
	return (names.find((name) => name !== undefined && name !== '') ?? subject).slice(0, maxName);
}
