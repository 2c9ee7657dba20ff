import type { Gateway } from '../../../../core';
import { relate, TestNetwork } from '../../../support/gateways';
import { HttpGateway } from '../support/http-gateway';

/* docs/adr/0049 */
let network: TestNetwork;
let http: HttpGateway;
let peer: Gateway;
let address: string;
let relationshipId: string;

beforeAll(async () => {
	network = await TestNetwork.open();
	http = await HttpGateway.open(network);
	peer = await network.gateway();
	({ relationshipId } = await relate(http.gateway, peer));
	({ address } = await peer.account.getIdentity());
});
afterAll(async () => {
	await http.close();
	await network.close();
});

describe('contacts', () => {
	it('are listed, shown and found', async () => {
		const { result } = await http.ask('GET /Contacts?status=Active&limit=10');
		expect(result).toEqual([expect.objectContaining({ address, relationshipId })]);
		expect((await http.ask('GET /Contacts?status=Terminated')).result).toEqual([]);
		expect((await http.ask(`GET /Contacts/${address}`)).result).toEqual(result[0]);
		expect((await http.ask('GET /Contacts?name=Unknown')).result).toEqual([]);
		expect((await http.ask('GET /Contacts?emailAddress=a@b.example')).result).toEqual([]);
		const found = await http.ask('POST /Contacts/Find', { json: { name: 'Unknown Person' } });
		expect([found.status, found.result]).toEqual([200, []]);
	});

	it('have a history in pages', async () => {
		const whole = await http.ask(`GET /Contacts/${address}/History?kind=relationship`);
		expect(whole.result.length).toBeGreaterThan(1);
		const first = await http.ask(`GET /Contacts/${address}/History?kind=relationship&limit=1`);
		const position = encodeURIComponent(first.result[0].position);
		const rest = await http.ask(
			`GET /Contacts/${address}/History?kind=relationship&position=${position}`,
		);
		expect([...first.result, ...rest.result]).toEqual(whole.result);
	});

	it('are exported, and erased when the relationship has ended', async () => {
		const { result } = await http.ask(`GET /Contacts/${address}/Export?limit=1000`);
		expect(result.records).toContainEqual(expect.objectContaining({ section: 'contact' }));
		const early = await http.ask(`POST /Contacts/${address}/Erase`, { json: {} });
		expect(early.error.code).toBe('error.gateway.contacts.notEnded');
		await http.gateway.relationships.terminate(relationshipId);
		const erased = await http.ask(`POST /Contacts/${address}/Erase`, {
			json: { decomposeIfEnded: true },
		});
		expect(erased.result).toMatchObject({ address });
		expect(erased.result.erased).toContainEqual({ kind: 'relationships', count: 1 });
	});

	it.each([
		['GET /Contacts?limit=0', 400],
		['GET /Contacts?limit=100000', 400],
		['GET /Contacts/unknown', 400],
		['GET /Contacts/did:e:x.example:dids:0123456789abcdef012345', 400],
		['GET /Contacts/did:e:x.example:dids:0123456789abcdef012345/History?kind=x', 400],
	])('%s is refused', async (call, status) => {
		const answer = await http.ask(call);
		expect([answer.status, answer.error.code]).toEqual([status, expect.any(String)]);
	});
});

describe('waits', () => {
	it('are listed, shown and cancelled without the key of their address', async () => {
		const until = new Date(Date.now() + 3_600_000).toISOString();
		const wait = {
			id: 'n8n/1/ask',
			key: 'hidden',
			resumeUrl: 'https://n8n.example',
			note: {},
			until,
		};
		await http.gateway.waits.beginGroup({ ...wait, rule: { goOn: 'all' }, size: 2 });
		const { result, bytes } = await http.ask('GET /Waits');
		expect(result).toEqual([expect.objectContaining({ id: wait.id, kind: 'group', until })]);
		const path = `/Waits/${encodeURIComponent(wait.id)}`;
		expect((await http.ask(`GET ${path}`)).result).toMatchObject({ id: wait.id });
		expect((await http.ask(`GET ${path}/Members`)).result).toEqual([]);
		expect((await http.ask(`DELETE ${path}`)).status).toBe(204);
		expect((await http.ask('GET /Waits')).result).toEqual([]);
		const gone = await http.ask(`GET ${path}`);
		expect([gone.status, gone.error.code]).toEqual([404, 'error.runtime.recordNotFound']);
		expect(Buffer.from(bytes).toString()).not.toMatch(/n8n\.example|hidden/);
	});
});
