import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mailTo, inOneHour, relate, SandboxNetwork } from '../../support/gateways';
import { HttpGateway } from './support/http-gateway';

/* docs/protocol/http-api.md 2.3: from the request to the calls that it causes. */
const seen = new Map<string, string>();
const tenants = new Set<string>();
const additionalHeaders = { 'X-Tenant': 'blue' };
let network: SandboxNetwork;
let proxy: Server;
let http: HttpGateway;
let addressOfPeer: string;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	const target = new URL(network.backbone.baseUrl);
	proxy = createServer((incoming, outgoing) => {
		const { method, url, headers } = incoming;
		const call = `${method} ${url?.split('?')[0]?.replace(/\/api\/v\d\//, '')}`;
		seen.set(call, String(headers['x-correlation-id']));
		tenants.add(`${String(headers['x-tenant'])} ${String(headers['user-agent'])}`);
		const options = { host: target.hostname, port: target.port, method, path: url, headers };
		const forwarded = request(options, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
			answer.pipe(outgoing);
		});
		incoming.pipe(forwarded);
	});
	await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
	const config = network.config();
	const baseUrl = `http://localhost:${(proxy.address() as AddressInfo).port}`;
	http = await HttpGateway.open(
		network,
		{},
		{ ...config, backbone: { ...config.backbone, baseUrl, additionalHeaders } },
	);
	const peer = await network.gateway();
	({ addressB: addressOfPeer } = await relate(http.gateway, peer));
});
afterAll(async () => {
	await http.close();
	await network.close();
	proxy.closeAllConnections();
	proxy.close();
});

describe('the correlation id of a request', () => {
	it.each([
		[
			'POST RelationshipTemplates',
			'POST /RelationshipTemplates/Own',
			() => ({
				content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
				expiresAt: inOneHour(),
			}),
		],
		['POST Messages', 'POST /Messages', () => mailTo(addressOfPeer)],
		['POST Tokens', 'POST /Tokens/Own', () => ({ content: { a: 1 }, expiresAt: inOneHour() })],
		['POST Challenges', 'POST /Challenges', () => ({ challengeType: 'Identity' })],
	])('goes with %s', async (call, asked, json) => {
		const correlationId = `asked-for-${call.length}`;
		const { status } = await http.ask(asked, {
			json: json(),
			headers: { 'x-correlation-id': correlationId },
		});
		expect(status).toBe(201);
		expect(seen.get(call)).toBe(correlationId);
	});
});

describe('additional headers', () => {
	it('go with every call to the Backbone, logins included', () => {
		expect(seen.has('POST /connect/token')).toBe(true);
		expect([...tenants]).toEqual(['blue n8n-nodes-enmeshed']);
	});
});
