import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import type { JwtBearerConfig } from '../../../core/server/config/jwt-bearer-config';
import { TestNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';
import { HttpGateway } from './support/http-gateway';

/* docs/protocol/http-api.md 4 */
const secret = 'x'.repeat(32);
const key = new TextEncoder().encode(secret);
const usual = {
	audience: 'gateway',
	clockTolerance: 5,
	strict: false,
	cooldownDuration: 30_000,
	timeoutDuration: 5_000,
	cacheMaxAge: 600_000,
};
const shared: JwtBearerConfig = { ...usual, issuer: 'https://issuer.example', secret };
const log = openLog();
let network: TestNetwork;
let http: HttpGateway;

beforeAll(async () => {
	network = await TestNetwork.open();
	http = await HttpGateway.open(network, {
		apiKey: undefined,
		jwtBearer: shared,
		logger: log.logger,
	});
});
afterAll(async () => {
	await http.close();
	await network.close();
});

interface Claims {
	readonly scope?: unknown;
	readonly issuer?: string;
	readonly audience?: string;
	readonly expires?: string | undefined;
	readonly notBefore?: string;
}

function claims(payload: JWTPayload, { issuer, audience, notBefore, ...rest }: Claims): SignJWT {
	const token = new SignJWT(payload)
		.setIssuer(issuer ?? 'https://issuer.example')
		.setAudience(audience ?? 'gateway')
		.setIssuedAt();
	if (notBefore !== undefined) token.setNotBefore(notBefore);
	if (!('expires' in rest)) return token.setExpirationTime('1h');
	return rest.expires === undefined ? token : token.setExpirationTime(rest.expires);
}

async function ask(gateway: HttpGateway, path: string, authorization: string) {
	const answer = await fetch(gateway.server.address + path, { headers: { authorization } });
	const { error } = (await answer.json()) as { error?: { code: string } };
	return [answer.status, error?.code];
}

async function tokenWith(given: Claims, signedBy: Uint8Array = key): Promise<string> {
	const payload = 'scope' in given ? { scope: given.scope } : {};
	return await claims(payload, given).setProtectedHeader({ alg: 'HS256' }).sign(signedBy);
}

const identity = '/api/v2/Account/IdentityInfo';
const refused = [401, 'error.connector.unauthorized'];

describe('a bearer token', () => {
	it.each([
		['admin', identity],
		['core:*', identity],
		['something core:account', identity],
		['core:requests:*', '/api/v2/Requests/Incoming'],
		['core:requests:outgoing', '/api/v2/Requests/Outgoing'],
		['monitoring', '/Monitoring/Version'],
	])('with the scope %j may ask %s', async (scope, path) => {
		expect(await ask(http, path, `Bearer ${await tokenWith({ scope })}`)).toEqual([200, undefined]);
	});

	it.each([
		['core:files', identity],
		['core:requests:incoming', '/api/v2/Requests/Outgoing'],
		['core', identity],
		['', identity],
		[['admin'], identity],
		[undefined, identity],
		['core:*', '/Monitoring/Version'],
	])('with the scope %j may not ask %s', async (scope, path) => {
		expect(await ask(http, path, `Bearer ${await tokenWith({ scope })}`)).toEqual([
			403,
			'error.connector.forbidden',
		]);
	});

	it.each<[string, Claims]>([
		['of another issuer', { issuer: 'https://other.example' }],
		['for another audience', { audience: 'other' }],
		['that has expired', { expires: '-1m' }],
		['without an end', { expires: undefined }],
		['that is not valid yet', { notBefore: '1h' }],
	])('%s is refused', async (_name, given) => {
		const token = await tokenWith({ scope: 'admin', ...given });
		expect(await ask(http, identity, `Bearer ${token}`)).toEqual(refused);
	});

	it('with the signature of another provider is refused, and never written to the log', async () => {
		const token = await tokenWith({ scope: 'admin' }, new TextEncoder().encode('y'.repeat(32)));
		expect(await ask(http, identity, `Bearer ${token}`)).toEqual(refused);
		const [header, payload] = token.split('.');
		const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
		expect(await ask(http, identity, `Bearer ${unsigned}`)).toEqual(refused);
		for (const other of [`Basic ${token}`, token, 'Bearer', `Bearer ${header}`]) {
			expect(await ask(http, identity, other)).toEqual(refused);
		}
		expect(log.lines.join()).not.toContain(payload);
	});
});

describe('a strict check of tokens', () => {
	it('takes access tokens after RFC 9068 only', async () => {
		const strict = await HttpGateway.open(network, {
			apiKey: undefined,
			jwtBearer: { ...shared, strict: true },
		});
		const signed = (typ: string, members: JWTPayload): Promise<string> =>
			claims({ scope: 'admin', ...members }, {})
				.setProtectedHeader({ alg: 'HS256', typ })
				.sign(key);
		const members = { sub: 'a', client_id: 'b', jti: 'c' };
		const accepted = await signed('at+jwt', members);
		expect(await ask(strict, identity, `Bearer ${accepted}`)).toEqual([200, undefined]);
		for (const token of [await signed('JWT', members), await signed('at+jwt', { sub: 'a' })]) {
			expect(await ask(strict, identity, `Bearer ${token}`)).toEqual(refused);
		}
		await strict.close();
	});
});

describe('a provider of tokens', () => {
	let provider: Server;
	let base: string;
	let keys: unknown[] = [];
	let isAway = false;

	beforeAll(async () => {
		provider = createServer((request, response) => {
			if (isAway) response.writeHead(503).end();
			else if (request.url === '/keys') response.end(JSON.stringify({ keys }));
			else response.end(JSON.stringify({ issuer: base, jwks_uri: `${base}/keys` }));
		});
		await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
		base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
	});
	afterAll(() => provider.close());

	it('is found by its address, and asked again after it was away', async () => {
		const { publicKey, privateKey } = await generateKeyPair('ES256');
		keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }];
		const gateway = await HttpGateway.open(network, {
			apiKey: undefined,
			jwtBearer: { ...usual, issuerBaseURL: base },
		});
		const token = await claims({ scope: 'admin' }, { issuer: base })
			.setProtectedHeader({ alg: 'ES256', kid: 'one' })
			.sign(privateKey);
		isAway = true;
		expect(await ask(gateway, identity, `Bearer ${token}`)).toEqual(refused);
		isAway = false;
		const [own] = keys;
		// More than a provider needs: not read to its end.
		keys = [own, { kid: 'x'.repeat(2_000_000) }];
		expect(await ask(gateway, identity, `Bearer ${token}`)).toEqual(refused);
		keys = [own];
		expect(await ask(gateway, identity, `Bearer ${token}`)).toEqual([200, undefined]);
		// A public key is not a shared secret, whatever the header of a token says.
		const confused = await claims({ scope: 'admin' }, { issuer: base })
			.setProtectedHeader({ alg: 'HS256', kid: 'one' })
			.sign(new TextEncoder().encode(JSON.stringify(keys[0])));
		expect(await ask(gateway, identity, `Bearer ${confused}`)).toEqual(refused);
		await gateway.close();
	});
});
