import { TestNetwork } from '../../support/gateways';
import { HttpGateway } from './support/http-gateway';

/* docs/protocol/http-api.md 13, 14: settings that change what the server answers */
let network: TestNetwork;
beforeAll(async () => {
	network = await TestNetwork.open();
});
afterAll(() => network.close());

describe('a server whose module coreHttpApi is switched off', () => {
	it('answers health and monitoring only', async () => {
		const http = await HttpGateway.open(network, {
			hasApi: false,
			documentationScript: undefined,
		});
		const statuses = [];
		for (const path of ['/health', '/Monitoring/Version', '/Events', '/docs/json']) {
			statuses.push((await http.ask(`GET ${path}`)).status);
		}
		expect(statuses).toEqual([200, 200, 404, 404]);
		const { status, error } = await http.ask('GET /Account/IdentityInfo');
		expect([status, error.code]).toEqual([404, 'error.connector.http.routeDoesNotExist']);
		await http.close();
	});
});

it('cors.optionsSuccessStatus is the status of the answer to a preflight request', async () => {
	const http = await HttpGateway.open(network, {
		cors: { origin: 'https://portal.example', optionsSuccessStatus: 200 },
	});
	const headers = { origin: 'https://portal.example' };
	const preflight = await http.ask('OPTIONS /anything', { headers });
	expect(preflight.status).toBe(200);
	expect(preflight.headers.get('access-control-allow-origin')).toBe('https://portal.example');
	expect((await http.ask('GET /nothing', { headers })).status).toBe(404);
	await http.close();
});

it.each([
	[true, 1],
	[false, 0],
])('persistAuth %s is handed to the page of the documentation', async (persistAuth, count) => {
	const http = await HttpGateway.open(network, { persistAuth });
	const { bytes } = await http.ask('GET /docs/rapidoc');
	expect(new TextDecoder().decode(bytes).split('persist-auth="true"')).toHaveLength(count + 1);
	await http.close();
});
