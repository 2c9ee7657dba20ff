import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../../core/server/app';
import { FailedAttempts } from '../../../core/server/authentication/failed-attempts';
import { ConnectionLimits } from '../../../core/server/connection-limits';
import { silentLogger } from '../../../core/base/logger';
import { TestNetwork } from '../../support/gateways';
import { HttpGateway } from './support/http-gateway';
import { problemsOf } from './support/openapi-problems';

/* docs/protocol/http-api.md 8.15 */
let network: TestNetwork;
let http: HttpGateway;
let folder: string;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'enmeshed-viewer-'));
	const documentationScript = join(folder, 'rapidoc-min.js.gz');
	const load = createRequire(__filename);
	const { buildViewer } = load('../../../scripts/build/viewer.cjs') as {
		buildViewer(): Promise<{ script: Buffer }>;
	};
	writeFileSync(documentationScript, (await buildViewer()).script);
	network = await TestNetwork.open();
	http = await HttpGateway.open(network, { debug: true, version: '1.2.3', documentationScript });
});
afterAll(async () => {
	await http.close();
	await network.close();
	rmSync(folder, { recursive: true, force: true });
});

const noKey = { headers: { 'x-api-key': '' } };

describe('the OpenAPI document', () => {
	it('is valid, and open to everybody', async () => {
		const { status, json } = await http.ask('GET /docs/json', noKey);
		expect(status).toBe(200);
		expect(json).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
		expect(problemsOf(json)).toEqual([]);
		expect(problemsOf({ ...json, paths: { '/x': { get: { responses: 5 } } } })).not.toEqual([]);
	});

	it('http-api 18.1: spec 1 | describes every route that is answered, and no other', async () => {
		const { json } = await http.ask('GET /docs/json');
		const described = Object.entries(json.paths as Record<string, object>).flatMap(
			([path, methods]) =>
				Object.keys(methods).map(
					(method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
				),
		);
		const { signal } = new AbortController();
		const unusedServer = {
			stop: signal,
			closing: signal,
			attempts: new FailedAttempts(),
			connections: new ConnectionLimits({
				logger: silentLogger,
				maxOfEach: 1,
				unauthenticatedMs: 1,
			}),
		};
		const options = {
			facade: http.gateway,
			logger: silentLogger,
			host: '',
			port: 0,
			apiKey: 'x',
			cors: { origin: false },
			debug: true,
			version: '',
			configuration: {},
		} as const;
		const answered = createApp(options, unusedServer)
			.routes.filter(({ method, path }) => method !== 'ALL' && !path.endsWith('*'))
			.filter(({ path }) => /^\/(api\/v2|Events|health|Monitoring)/.test(path))
			.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, '{}')}`);
		expect(described.sort()).toEqual([...new Set(answered)].sort());
		expect(described.length).toBeGreaterThan(85);
	});

	it('tells that the event stream stands beside the prefixes', async () => {
		const { json } = await http.ask('GET /docs/json');
		expect(json.paths['/Events']).toMatchObject({
			get: {
				responses: { 200: { content: { 'text/event-stream': {} } } },
				parameters: [
					{ name: 'after' },
					{ name: 'event' },
					{ name: 'version' },
					{ name: 'Last-Event-ID' },
				],
			},
		});
	});

	it.each(['/health', '/Monitoring/Version', '/Monitoring/Requests', '/Monitoring/Support'])(
		'describes %s, which stands beside the prefixes, without envelope',
		async (path) => {
			const { json } = await http.ask('GET /docs/json');
			const { status, json: answered } = await http.ask(`GET ${path}`);
			const { schema } = json.paths[path].get.responses[status].content['application/json'];
			expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(answered).sort());
			expect(json.paths[path].get.security).toEqual(path === '/health' ? [] : undefined);
		},
	);

	it('refers to nothing that it does not hold', async () => {
		const { json } = await http.ask('GET /docs/json');
		const text = JSON.stringify(json);
		const names = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
		expect(names.length).toBeGreaterThan(10);
		for (const name of names) expect(json.components.schemas).toHaveProperty(name ?? '');
	});

	it('can be called as it stands, each operation once and under a name of its own', async () => {
		const { json } = await http.ask('GET /docs/json');
		expect(json.servers).toEqual([{ url: '/' }]);
		const paths = Object.keys(json.paths);
		const shapes = paths.map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
		expect(new Set(shapes).size).toBe(paths.length);
		const operations = Object.entries(json.paths).flatMap(([path, methods]) =>
			Object.values(methods as Record<string, { operationId: string; parameters?: object[] }>).map(
				(operation) => ({ path, ...operation }),
			),
		);
		const ids = operations.map(({ operationId }) => operationId);
		expect(new Set(ids).size).toBe(ids.length);
		for (const { path, parameters = [] } of operations) {
			const declared = parameters.filter((one) => 'in' in one && one.in === 'path');
			expect(declared.map((one) => (one as { name: string }).name)).toEqual(
				[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
			);
		}
	});

	it('is YAML as well', async () => {
		const { status, headers, bytes } = await http.ask('GET /docs/yaml', noKey);
		expect([status, headers.get('content-type')]).toEqual([200, 'text/vnd.yaml']);
		const { json } = await http.ask('GET /docs/json');
		expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(json);
	});
});

describe('what may be read without a key', () => {
	it.each(['/docs/json', '/docs/yaml', '/rapidoc/rapidoc-min.js'])(
		'is made once, and unchanged for clients that have it: %s',
		async (path) => {
			const first = await http.ask(`GET ${path}`, noKey);
			const stringify = jest.spyOn(JSON, 'stringify');
			const again = await http.ask(`GET ${path}`, noKey);
			const written = stringify.mock.calls.filter(([value]) => value?.openapi !== undefined);
			stringify.mockRestore();
			expect(written).toHaveLength(0);
			expect(Buffer.compare(again.bytes, first.bytes)).toBe(0);
			const etag = again.headers.get('etag') ?? '';
			const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
			const known = await http.ask(`GET ${path}`, { headers });
			expect([known.status, known.bytes.length]).toEqual([304, 0]);
			const plain = await http.ask(`GET ${path}`, { headers: { 'accept-encoding': 'deflate' } });
			expect(plain.headers.get('content-encoding')).toBeNull();
			expect(Buffer.compare(plain.bytes, first.bytes)).toBe(0);
		},
	);
});

describe('its page', () => {
	it.each(['/docs', '/docs/'])('is found from %s', async (path) => {
		const { status, headers } = await http.ask(`GET ${path}`, noKey);
		expect([status, headers.get('location')]).toEqual([301, '/docs/swagger']);
	});

	it.each(['/docs/swagger', '/DOCS/Swagger', '/docs/swagger/', '/docs/rapidoc'])(
		'is the answer of %s itself',
		async (path) => {
			const { status, headers, bytes } = await http.ask(`GET ${path}`, noKey);
			expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
			const html = new TextDecoder().decode(bytes);
			expect(html).toContain('<rapi-doc');
			expect(html).toContain('<div id="swagger-ui"');
		},
	);

	it('loads nothing from elsewhere', async () => {
		const { status, bytes } = await http.ask('GET /docs/rapidoc', noKey);
		const html = new TextDecoder().decode(bytes);
		expect(status).toBe(200);
		expect(html).toContain('<rapi-doc');
		expect(html).not.toMatch(/https?:\/\//);
		const script = await http.ask('GET /rapidoc/rapidoc-min.js', noKey);
		expect(script.headers.get('content-type')).toContain('text/javascript');
		expect(script.bytes.length).toBeGreaterThan(100_000);
	});

	it('is not there when it is switched off', async () => {
		const closed = await HttpGateway.open(network, { documentationScript: undefined });
		for (const path of ['/docs', '/docs/json', '/docs/rapidoc', '/rapidoc/rapidoc-min.js']) {
			expect((await closed.ask(`GET ${path}`)).status).toBe(404);
		}
		await closed.close();
	});
});
