import * as z from 'zod';

/** Headers that the gateway or the connection sets; the configuration must not replace them. */
const ownHeaders = [
	'accept',
	'authorization',
	'connection',
	'content-length',
	'content-type',
	'expect',
	'host',
	'keep-alive',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'user-agent',
	'x-correlation-id',
];

/**
 * Headers added to every call to the Backbone, for example for a proxy; names become lower case
 * (docs/protocol/backbone-api.md 2.2).
 */
export const additionalHeadersSchema = z
	.record(
		z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'expected the name of a header'),
		z.string().regex(/^[\x20-\x7e]{1,8000}$/, 'expected printable ASCII on one line'),
	)
	.transform((headers) =>
		Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
	)
	.refine(
		(headers) => ownHeaders.every((name) => !(name in headers)),
		`expected none of the headers that the gateway sets itself: ${ownHeaders.join(', ')}`,
	);
