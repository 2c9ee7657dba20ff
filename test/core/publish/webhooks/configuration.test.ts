import { parseServerConfig } from '../../../../core/server/config/server-config';
import { Receiver } from './support/receiver';
import { WebhookBench } from './support/webhook-bench';

/* docs/protocol/http-api.md 11: what stops the start, by the name of the setting */
const url = 'https://crm.example/hook';
const triggers = ['**'];

function parse(webhooks: object): unknown {
	return parseServerConfig({
		transportLibrary: {
			baseUrl: 'https://backbone.example',
			platformClientId: 'client',
			platformClientSecret: 'secret',
		},
		infrastructure: { httpServer: { apiKey: 'key' } },
		modules: { webhooks: { enabled: true, ...webhooks } },
	});
}

describe('the settings of webhooks', () => {
	it.each([
		['a named target', { targets: { crm: { url } }, webhooks: [{ triggers, target: 'crm' }] }],
		['a target of its own', { webhooks: [{ triggers, target: { url } }] }],
		[
			'a placeholder',
			{ webhooks: [{ triggers, target: { url: 'https://a.example/{{trigger}}' } }] },
		],
		[
			'this machine',
			{ webhooks: [{ triggers, target: { url: 'http://localhost:5678/webhook' } }] },
		],
		['the own network', { webhooks: [{ triggers, target: { url: 'http://192.168.1.5/hook' } }] }],
		[
			'authentication',
			{
				targets: {
					a: { url, authentication: { type: 'ApiKey', apiKey: 'k', headerName: 'x-key' } },
					b: {
						url,
						authentication: {
							type: 'OAuth2',
							accessTokenUrl: 'https://login.example/token',
							clientId: 'a',
							clientSecret: 'b',
							scope: 'c',
						},
					},
				},
			},
		],
		['nothing at all', {}],
	])('http-api 18.1: modules/webhooksV2 2 | take %s', (_name, webhooks) => {
		expect(() => parse(webhooks)).not.toThrow();
	});

	const reference = 'error.runtime.modules.webhooks.invalidTargetReference';
	const format = 'error.runtime.modules.webhooks.invalidUrlFormat';
	const authentication = 'error.runtime.modules.webhooks.invalidAuthenticationConfig';
	const forbidden = 'error.gateway.webhooks.forbiddenAddress';
	const inline = (target: object): object => ({ webhooks: [{ triggers, target }] });
	const first = 'modules.webhooks.webhooks.0.target';

	it.each([
		[reference, first, { webhooks: [{ triggers, target: 'stranger' }] }],
		[reference, first, { webhooks: [{ triggers, target: 'constructor' }] }],
		[format, `${first}.url`, inline({ url: 'crm.example' })],
		[format, `${first}.url`, inline({ url: 'ftp://crm.example' })],
		[format, `${first}.url`, inline({ url: 'https://{{trigger}} x/' })],
		[format, 'modules.webhooks.targets.crm.url', { targets: { crm: { url: 'http://' } } }],
		[
			authentication,
			`${first}.authentication.type`,
			inline({ url, authentication: { type: 'Basic' } }),
		],
		[
			authentication,
			`${first}.authentication.apiKey`,
			inline({ url, authentication: { type: 'ApiKey' } }),
		],
		[
			authentication,
			`${first}.authentication.clientSecret`,
			inline({
				url,
				authentication: { type: 'OAuth2', accessTokenUrl: url, clientId: 'a' },
			}),
		],
		[authentication, `${first}.authentication`, inline({ url, authentication: 'ApiKey' })],
		[
			forbidden,
			`${first}.authentication.accessTokenUrl`,
			inline({
				url,
				authentication: {
					type: 'OAuth2',
					accessTokenUrl: 'http://169.254.169.254/token',
					clientId: 'a',
					clientSecret: 'b',
				},
			}),
		],
		...[
			'http://169.254.169.254/latest/meta-data',
			'http://0xa9fea9fe/',
			'http://2852039166/',
			'http://0251.0376.0251.0376/',
			'http://169.254.170.2/',
			'http://[::ffff:169.254.169.254]/',
			'http://[::ffff:a9fe:a9fe]/',
			'http://[::a9fe:a9fe]/',
			'http://[64:ff9b::a9fe:a9fe]/',
			'http://[2002:a9fe:a9fe::1]/',
			'http://[fe80::1]/',
			'http://[fd00:ec2::254]/',
			'http://[fd00:0ec2:0:0:0:0:0:254]/',
			'http://[fd20:ce::254]/',
			'http://100.100.100.200/',
			'http://168.63.129.16/',
			'http://metadata.google.internal/',
			'http://METADATA.google.internal./',
			'http://user:password@169.254.169.254/',
		].map((address) => [forbidden, `${first}.url`, inline({ url: address })] as const),
	])(
		'http-api 18.1: modules/webhooksV2 3 | stop the start with %s at %s: %j',
		(code, setting, webhooks) => {
			expect(() => parse(webhooks)).toThrow(
				expect.objectContaining({
					code,
					facts: { setting },
					message: expect.stringContaining(`'${setting}'`) as string,
				}),
			);
		},
	);

	it('are warned about where they look like mistakes', async () => {
		const bench = await WebhookBench.open();
		const receiver = await Receiver.open();
		await bench.start({
			webhooks: [{ triggers: ['transport.mesageReceived'], target: { url: receiver.url } }],
			skipTlsCheck: true,
		});
		expect(bench.log.lines).toEqual([
			expect.stringContaining('skipTlsCheck'),
			expect.stringContaining('signingSecret'),
			expect.stringContaining('transport.mesageReceived'),
		]);
		await bench.close();
		await receiver.down();
	});
});
