import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { madeOnce } from '../../base/single-flight';
import type { Logger } from '../../base/logger';
import { publicKeyAlgorithms, type JwtBearerConfig } from '../config/jwt-bearer-config';
import { errorCodeOrName } from '../../base/members';
import { ownText } from '../../model/json';
import { providerFetch } from './provider-fetch';

type Jose = typeof import('jose');

const maxTokenLength = 16_000;

/** What a valid token says. */
export interface VerifiedToken {
	readonly roles: readonly string[];
	/** person or program for which the provider has issued it */
	readonly subject: string;
}

interface OpenIssuer {
	readonly jose: Jose;
	readonly name: string;
	readonly key: JWTVerifyGetKey | Uint8Array;
	readonly algorithms: string[];
}

/**
 * Reads roles and subject from the header Authorization: the entries of the claim `scope`, and for
 * whom or what the token was issued; undefined for an invalid token or header
 * (docs/protocol/http-api.md 4).
 */
export function bearerVerifier(
	config: JwtBearerConfig,
	logger: Logger,
): (authorization: string) => Promise<VerifiedToken | undefined> {
	// The provider may have been unavailable for a moment, so the next token tries it again.
	const issuerOf = madeOnce(() => openIssuer(config));
	return async (authorization) => {
		const token = /^Bearer +([\w.-]+)$/i.exec(authorization)?.[1];
		if (token === undefined || token.length > maxTokenLength) return undefined;
		try {
			const issuer = await issuerOf();
			const { jose, key } = issuer;
			const options = verification(config, issuer);
			const { payload } =
				key instanceof Uint8Array
					? await jose.jwtVerify(token, key, options)
					: await jose.jwtVerify(token, key, options);
			const { scope } = payload;
			return {
				roles: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [],
				subject: subjectOf(payload),
			};
		} catch (error) {
			logger.info('a bearer token was refused', { reason: errorCodeOrName(error) });
			return undefined;
		}
	};
}

function subjectOf(payload: JWTPayload): string {
	const named = ['sub', 'client_id', 'azp'].map((claim) => ownText(payload, claim));
	return (named.find((text) => text !== undefined) ?? 'unknown').slice(0, 200);
}

/** Claims that RFC 9068 requires, beside those compared with the settings. */
const strictClaims = ['exp', 'sub', 'client_id', 'iat', 'jti'];

function verification(config: JwtBearerConfig, issuer: OpenIssuer): JWTVerifyOptions {
	return {
		issuer: issuer.name,
		audience: config.audience,
		algorithms: issuer.algorithms,
		clockTolerance: config.clockTolerance,
		requiredClaims: config.strict ? strictClaims : ['exp'],
		...(config.strict ? { typ: 'at+jwt' } : {}),
		...(config.maxTokenAge === undefined ? {} : { maxTokenAge: config.maxTokenAge }),
	};
}

async function openIssuer(config: JwtBearerConfig): Promise<OpenIssuer> {
	const { issuer, jwksUri, secret, tokenSigningAlg } = config;
	const jose = await import('jose');
	if (secret !== undefined && issuer !== undefined) {
		const key = new TextEncoder().encode(secret);
		return { jose, name: issuer, key, algorithms: [tokenSigningAlg ?? 'HS256'] };
	}
	const algorithms = tokenSigningAlg === undefined ? [...publicKeyAlgorithms] : [tokenSigningAlg];
	const known = issuer !== undefined && jwksUri !== undefined ? { issuer, jwksUri } : undefined;
	const provider = known ?? (await discover(config.issuerBaseURL ?? '', config.timeoutDuration));
	const { cooldownDuration, timeoutDuration, cacheMaxAge } = config;
	const key = jose.createRemoteJWKSet(new URL(provider.jwksUri), {
		cooldownDuration,
		timeoutDuration,
		cacheMaxAge,
		[jose.customFetch]: providerFetch,
	});
	return { jose, name: issuer ?? provider.issuer, key, algorithms };
}

async function discover(
	baseUrl: string,
	timeoutMs: number,
): Promise<{ issuer: string; jwksUri: string }> {
	const address = `${baseUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;
	const answer = await providerFetch(address, {
		redirect: 'error',
		signal: AbortSignal.timeout(timeoutMs),
	});
	const metadata: unknown = await answer.json();
	const [issuer, jwksUri] = [ownText(metadata, 'issuer'), ownText(metadata, 'jwks_uri')];
	if (issuer === undefined || jwksUri === undefined) {
		throw new Error('the metadata of the provider lacks issuer or jwks_uri');
	}
	return { issuer, jwksUri };
}
