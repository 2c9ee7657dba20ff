import { normalizeBaseUrl, normalizePushUrl } from '../../../core/backbone/base-url';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';

describe('a Backbone address', () => {
	it.each([
		['https://backbone.example.com', 'https://backbone.example.com'],
		['  https://backbone.example.com/  ', 'https://backbone.example.com'],
		['HTTPS://Backbone.Example.com:443', 'https://backbone.example.com'],
		['http://localhost:8090/', 'http://localhost:8090'],
		['https://backbone.example.com/api', 'https://backbone.example.com'],
		['https://backbone.example.com/api/v2/Version', 'https://backbone.example.com'],
		['https://backbone.example.com/API/v1/', 'https://backbone.example.com'],
		['https://example.com/backbone/', 'https://example.com/backbone'],
		['https://example.com/backbone/api/v2?x=1#y', 'https://example.com/backbone'],
		['https://example.com/apiary', 'https://example.com/apiary'],
	])('%s becomes %s', (input, expected) => {
		expect(normalizeBaseUrl(input)).toBe(expected);
	});

	it.each([
		['', 'error.transport.general.baseUrlNotSet'],
		['   ', 'error.transport.general.baseUrlNotSet'],
		['backbone.example.com', 'error.transport.general.invalidBaseUrl'],
		['ftp://backbone.example.com', 'error.transport.general.invalidBaseUrl'],
		['https://backbone.example.com/a|b', 'error.transport.general.invalidBaseUrl'],
		['https://user:password@backbone.example.com', 'error.transport.general.invalidBaseUrl'],
		[`https://${'a'.repeat(3_000)}`, 'error.transport.general.invalidBaseUrl'],
		['https://', 'error.transport.general.invalidBaseUrl'],
	])('%s is refused', (input, code) => {
		expect(() => normalizeBaseUrl(input)).toThrow(
			expect.objectContaining({ code, kind: 'invalid' }),
		);
	});

	it('is not repeated in the refusal when it holds a password', () => {
		expect(() => normalizeBaseUrl('https://user:secret-word@host')).toThrow(
			expect.objectContaining({ message: expect.not.stringContaining('secret-word') }),
		);
	});
});

describe('a push address', () => {
	it('has the same form, and may be the one of the call itself', () => {
		expect(normalizePushUrl(' https://push.example.com/api/v1/sse ')).toBe(
			'https://push.example.com',
		);
		expect(normalizePushUrl('https://example.com/push/')).toBe('https://example.com/push');
	});

	it.each(['', 'push.example.com', 'ftp://push.example.com', 'https://user:password@host'])(
		'%p is refused, naming its setting',
		(input) => {
			expect(() => normalizePushUrl(input)).toThrow(
				expect.objectContaining({
					code: 'error.gateway.backbone.invalidPushUrl',
					kind: 'invalid',
					facts: { field: 'backbone.pushUrl' },
				}),
			);
		},
	);
});

describe('opening a client', () => {
	const baseUrl = 'https://backbone.example.com';

	it.each([
		[
			{ baseUrl, clientId: '', clientSecret: 's' },
			'error.transport.general.platformClientIdNotSet',
		],
		[
			{ baseUrl, clientId: 'c', clientSecret: '' },
			'error.transport.general.platformClientSecretNotSet',
		],
	])('is refused without its client', (options, code) => {
		expect(() => HttpBackbone.open(options)).toThrow(expect.objectContaining({ code }));
	});

	it('can be closed twice', async () => {
		const backbone = HttpBackbone.open({ baseUrl, clientId: 'c', clientSecret: 's' });
		await Promise.all([backbone.close(), backbone.close()]);
		expect(backbone.baseUrl).toBe(baseUrl);
	});
});
