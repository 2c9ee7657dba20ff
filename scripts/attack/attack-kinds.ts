import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Outcome } from '../harness/mix';
import { apiKey } from '../served/served-gateway';
import type { ConnectionPlan } from './connection';

/** Kind of attack, and its allowed outcomes. */
export interface AttackKind {
	readonly name: string;
	readonly share: number;
	readonly allowed: readonly Outcome[];
	/** @param number number of the connection, by which attacks with several variants alternate */
	plan(number: number): ConnectionPlan;
}

/** What to write, or a whole plan. */
type Plan = string | Buffer | ConnectionPlan;

const kind = (
	name: string,
	share: number,
	allowed: readonly Outcome[],
	plan: (number: number) => Plan,
): AttackKind => ({
	name,
	share,
	allowed,
	plan(number) {
		const planned = plan(number);
		const isText = typeof planned === 'string' || Buffer.isBuffer(planned);
		return isText ? { text: planned } : planned;
	},
});

const wrongKey = 'x-api-key: Wrong-Key-0123456789-0123456789!';
const withKey = `x-api-key: ${apiKey}`;
const jsonType = 'content-type: application/json';
const target = 'POST /api/v2/RelationshipTemplates/Own';

/** Request with a body, after which the server may close the connection. */
function request(
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
function compressionBomb(number: number, headers: readonly string[]): Buffer {
	const [name, body] = turn(encodings, number);
	return request(target, [...headers, jsonType, `content-encoding: ${name}`], body);
}

const deepNesting = '['.repeat(100_000);

const prototypeBodies = [
	'{"__proto__":{"isAdmin":true}}',
	'{"content":{"\\u005f_proto__":{"toString":1}},"expiresAt":"2030-01-01"}',
	'{"content":{"a":[{"__proto__":[]}]}}',
];

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
];

const prototypePaths = [
	'/api/v2/__proto__',
	'/api/v2/constructor/prototype',
	'/api/v2/Messages?__proto__=1&__proto__.isAdmin=true',
	'/api/v2/Messages?content.__proto__=1&constructor=1',
];

const noRequests = [
	'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
	'HELO gateway\r\n\r\n',
	'POST /api/v2/Account/Sync HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
	'GET /health HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n',
];

const hugeHeaders = [
	[`x-filler: ${'y'.repeat(200_000)}`],
	Array.from({ length: 5_000 }, (_, index) => `x-filler-${index}: y`),
];

const pages = ['/rapidoc/rapidoc-min.js', '/docs/json', '/docs/yaml'];

/** What a client without a key can try, with shares of a hundred connections. */
export const kinds: readonly AttackKind[] = [
	kind('no key', 12, [401], () => request(target, [jsonType], '{"content":{}}')),
	kind('wrong key', 12, [401], () => request('GET /api/v2/Account/IdentityInfo', [wrongKey])),
	kind('bearer token', 5, [401], () =>
		request('GET /api/v2/Messages', ['authorization: Bearer e30.e30.AAAA']),
	),
	kind('compressed lists', 20, [401], (number) =>
		compressionBomb(number, number % 2 === 0 ? [] : [wrongKey]),
	),
	// A body that is still being sent when the answer arrives may be reset.
	kind('deep nesting', 8, [401, 'cut'], () => request(target, [jsonType], deepNesting)),
	kind('slow body', 3, [401, 'cut'], () =>
		Buffer.concat([
			request(target, [jsonType, 'content-length: 2000000']),
			Buffer.from('{"content":'),
		]),
	),
	kind('endless body', 1, [401, 'cut'], () => ({
		text: request(target, [jsonType, 'transfer-encoding: chunked']),
		endless: Buffer.from(`4000\r\n${' '.repeat(0x4000)}\r\n`),
	})),
	kind('huge headers', 5, [431, 400, 'cut'], (number) =>
		request('GET /health', turn(hugeHeaders, number)),
	),
	kind('no request', 4, [400, 408, 'cut'], (number) => turn(noRequests, number)),
	kind('silent connection', 3, ['held', 'cut', 408], () => ({
		text: 'GET /health HTT',
		timeoutMs: 3_000,
	})),
	kind('path tricks', 12, [400, 401, 404], (number) => request(`GET ${turn(paths, number)}`)),
	kind('prototype tricks', 8, [400, 401, 404], (number) =>
		number % 2 === 0
			? request(`GET ${turn(prototypePaths, number >> 1)}`, ['__proto__: x', 'constructor: y'])
			: request(target, [jsonType], turn(prototypeBodies, number >> 1)),
	),
	kind('pages that are not read', 4, ['held', 'cut'], (number) => ({
		text: request(`GET ${turn(pages, number)}`),
		neverReads: true,
		timeoutMs: 2_000,
	})),
	kind('health', 3, [200], () => request('GET /health')),
];

/** Bodies that a client with a key may send by mistake or pass on from others. */
export const kindsWithKey: readonly AttackKind[] = [
	kind('compressed lists', 2, [400], (number) => compressionBomb(number, [withKey])),
	kind('deep nesting', 1, [400], () => request(target, [withKey, jsonType], deepNesting)),
	kind('prototype tricks', 1, [400], (number) =>
		request(target, [withKey, jsonType], turn(prototypeBodies, number)),
	),
];

function turn<Value>(values: readonly Value[], number: number): Value {
	const value = values[number % values.length];
	if (value === undefined) throw new TypeError('There is nothing to take turns with');
	return value;
}
