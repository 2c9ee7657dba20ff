import { silentLogger } from '../../../../core/base/logger';
import { requireOwnBackbone } from '../../../../core/domain/identity/own-backbone';
import { warnOfPlainHttp } from '../../../../core/gateway/replaceable-backbone';

const another = 'error.gateway.identity.belongsToAnotherBackbone';
const downgraded = 'error.gateway.backbone.downgraded';

describe('the Backbone of an identity', () => {
	it.each([
		['https://a.example', 'https://a.example', undefined],
		['https://a.example', 'https://a.example:8443', undefined],
		['http://a.example', 'https://a.example', undefined],
		['http://a.example', 'http://a.example:81', undefined],
		['https://localhost', 'http://localhost:80', undefined],
		['https://127.0.0.1', 'http://127.0.0.1', undefined],
		['https://a.example', 'https://b.example', another],
		['https://a.example', 'https://a.example.b.example', another],
		['http://localhost:1', 'http://127.0.0.1:1', another],
		['https://a.example', 'http://a.example', downgraded],
		['https://localhost.example', 'http://localhost.example', downgraded],
	])('that was %s and is now said to be %s: %s', (known, baseUrl, code) => {
		const attempt = (allowPlainHttp: boolean) => (): void =>
			requireOwnBackbone(known, { baseUrl, allowPlainHttp });
		if (code === undefined) expect(attempt(false)).not.toThrow();
		else expect(attempt(false)).toThrow(expect.objectContaining({ code }));
		// A person's word is about the connection, never about the host.
		if (code === another) expect(attempt(true)).toThrow(expect.objectContaining({ code }));
		else expect(attempt(true)).not.toThrow();
	});
});

describe('a connection that others can read', () => {
	it.each([
		[{ baseUrl: 'http://a.example:8090' }, ['http://a.example:8090']],
		[{ baseUrl: 'https://a.example', pushUrl: 'http://push.example' }, ['http://push.example']],
		[{ baseUrl: 'https://a.example', pushUrl: 'https://push.example' }, []],
		[{ baseUrl: 'http://localhost:8090', pushUrl: 'http://[::1]:1' }, []],
		[{ baseUrl: 'http://127.8.9.10' }, []],
		[{ baseUrl: 'http://127.0.0.1.example' }, ['http://127.0.0.1.example']],
	])('is named in the log for %j', (addresses, named) => {
		const lines: string[] = [];
		warnOfPlainHttp(addresses, { ...silentLogger, warn: (message) => lines.push(message) });
		expect(lines).toEqual(
			named.map((origin) => expect.stringContaining(`${origin} is not encrypted (http)`)),
		);
	});
});
