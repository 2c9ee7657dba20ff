import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ConnectionPlan, Outcome } from './connection';

/** Kind of attack, and its allowed outcomes. */
export interface AttackKind {
	readonly name: string;
	/** share of a hundred connections without a key */
	readonly share: number;
	readonly allowed: readonly Outcome[];
	/** @param number number of the connection, by which attacks with several variants alternate */
	plan(number: number): ConnectionPlan;
}

const wrongKey = 'x-api-key: Wrong-Key-0123456789-0123456789!';
const jsonType = 'content-type: application/json';
const target = 'POST /api/v2/RelationshipTemplates/Own';

/** Request with a body, after which the server may close the connection. */
export function request(
	line: string,
	headers: readonly string[] = [],
	body: string | Buffer = '',
): Buffer {
	const bytes = Buffer.from(body);
	const length = bytes.length === 0 ? [] : [`content-length: ${bytes.length}`];
	const head = [`${line} HTTP/1.1`, 'host: gateway', 'connection: close', ...headers, ...length];
	return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
}

const emptyLists = Buffer.from(`[${'[],'.repeat(690_000)}[]]`);
const encodings = [
	['br', brotliCompressSync(emptyLists)],
	['gzip', gzipSync(emptyLists)],
	['deflate', deflateSync(emptyLists)],
] as const;

/** Small compressed bodies that expand to two million characters of empty lists. */
export function compressionBomb(number: number, headers: readonly string[]): Buffer {
	const [name, body] = turn(encodings, number);
	return request(target, [...headers, jsonType, `content-encoding: ${name}`], body);
}

export const deepNesting = '['.repeat(100_000);

export const prototypeBodies = [
	'{"__proto__":{"isAdmin":true}}',
	'{"content":{"\\u005f_proto__":{"toString":1}},"expiresAt":"2030-01-01"}',
	'{"content":{"a":[{"__proto__":[]}]}}',
] as const;

const paths = [
	'/api/v2/../../../../etc/passwd',
	'/api/v2/%2e%2e/%2e%2e/etc/passwd',
	'/api/v2/..%2f..%2f..%2fetc%2fpasswd',
	'/api/v2/Files/..%2f..%2fdefault.key/Download',
	'/api/v2/Files/%00/Download',
	'/api/v2/%ff%fe',
	'//api//v2//Account/IdentityInfo',
	'/api/v2;/Account/IdentityInfo',
	'/health/../api/v2/Account/IdentityInfo',
	'/docs/..%2fapi%2fv2%2fAccount%2fIdentityInfo',
	'/API/V2/ACCOUNT/IDENTITYINFO/',
	'http://gateway/api/v2/Account/IdentityInfo',
	'/Monitoring/Support',
	'/Events',
	`/api/v2/${'a/'.repeat(3_000)}`,
] as const;

const prototypePaths = [
	'/api/v2/__proto__',
	'/api/v2/constructor/prototype',
	'/api/v2/Messages?__proto__=1&__proto__.isAdmin=true',
	'/api/v2/Messages?content.__proto__=1&constructor=1',
] as const;

/** Outcomes allowed for clients without a key. */
const refused = [401] as const;

export const kinds: readonly AttackKind[] = [
	{
		name: 'no key',
		share: 12,
		allowed: refused,
		plan: () => ({ text: request(target, [jsonType], '{"content":{}}') }),
	},
	{
		name: 'wrong key',
		share: 12,
		allowed: refused,
		plan: () => ({ text: request('GET /api/v2/Account/IdentityInfo', [wrongKey]) }),
	},
	{
		name: 'bearer token',
		share: 5,
		allowed: refused,
		plan: () => ({
			text: request('GET /api/v2/Messages', ['authorization: Bearer e30.e30.AAAA']),
		}),
	},
	{
		name: 'compressed lists',
		share: 20,
		allowed: refused,
		plan: (number) => ({ text: compressionBomb(number, number % 2 === 0 ? [] : [wrongKey]) }),
	},
	{
		name: 'deep nesting',
		share: 8,
		// A body that is still being sent when the answer arrives may be reset.
		allowed: [401, 'cut'],
		plan: () => ({ text: request(target, [jsonType], deepNesting) }),
	},
	{
		name: 'slow body',
		share: 3,
		allowed: [401, 'cut'],
		plan: () => ({
			text: Buffer.concat([
				request(target, [jsonType, 'content-length: 2000000']),
				Buffer.from('{"content":'),
			]),
		}),
	},
	{
		name: 'endless body',
		share: 1,
		allowed: [401, 'cut'],
		plan: () => ({
			text: request(target, [jsonType, 'transfer-encoding: chunked']),
			endless: Buffer.from(`4000\r\n${' '.repeat(0x4000)}\r\n`),
		}),
	},
	{
		name: 'huge headers',
		share: 5,
		allowed: [431, 400, 'cut'],
		plan: (number) => ({
			text: request('GET /health', [
				...(number % 2 === 0
					? [`x-filler: ${'y'.repeat(200_000)}`]
					: Array.from({ length: 5_000 }, (_, index) => `x-filler-${index}: y`)),
			]),
		}),
	},
	{
		name: 'no request',
		share: 4,
		allowed: [400, 408, 'cut'],
		plan: (number) => ({
			text: turn(
				[
					'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
					'HELO gateway\r\n\r\n',
					'POST /api/v2/Account/Sync HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
					'GET /health HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n',
				],
				number,
			),
		}),
	},
	{
		name: 'silent connection',
		share: 3,
		allowed: ['held', 'cut', 408],
		plan: () => ({ text: 'GET /health HTT', timeoutMs: 3_000 }),
	},
	{
		name: 'path tricks',
		share: 12,
		allowed: [400, 401, 404],
		plan: (number) => ({ text: request(`GET ${turn(paths, number)}`) }),
	},
	{
		name: 'prototype tricks',
		share: 8,
		allowed: [400, 401, 404],
		plan: (number) => ({
			text:
				number % 2 === 0
					? request(`GET ${turn(prototypePaths, number >> 1)}`, ['__proto__: x', 'constructor: y'])
					: request(target, [jsonType], turn(prototypeBodies, number >> 1)),
		}),
	},
	{
		name: 'pages that are not read',
		share: 4,
		allowed: ['held', 'cut'],
		plan: (number) => ({
			text: request(`GET ${turn(['/rapidoc/rapidoc-min.js', '/docs/json', '/docs/yaml'], number)}`),
			neverReads: true,
			timeoutMs: 2_000,
		}),
	},
	{
		name: 'health',
		share: 3,
		allowed: [200],
		plan: () => ({ text: request('GET /health') }),
	},
];

function turn<Value>(
	values: readonly [Value, ...Value[]] | readonly Value[],
	number: number,
): Value {
	const value = values[number % values.length];
	if (value === undefined) throw new TypeError('there is nothing to take turns with');
	return value;
}
