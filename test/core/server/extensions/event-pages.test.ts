import { TestNetwork } from '../../../support/gateways';
import { until } from '../../../support/until';
import { HttpGateway, type Answer } from '../support/http-gateway';
import { StreamClient } from '../support/stream-client';

/* docs/adr/0049 */
let network: TestNetwork;
let http: HttpGateway;

beforeAll(async () => {
	network = await TestNetwork.open();
});
afterAll(() => network.close());
beforeEach(async () => {
	http = await HttpGateway.open(network);
});
afterEach(async () => {
	await http.close();
	await http.gateway.close();
});

async function createAttributes(...values: string[]): Promise<void> {
	for (const value of values) {
		await http.gateway.attributes.create({ content: { value: { '@type': 'DisplayName', value } } });
	}
}

const page = (query: string, path = '/Events'): Promise<Answer> =>
	http.ask(`GET ${path}${query}`, { headers: { accept: 'application/json' } });
const valuesOf = ({ result }: Answer): string[] =>
	result.events.map(
		({ data }: { data: { content: { value: { value: string } } } }) => data.content.value.value,
	);
const acknowledge = (json: object): Promise<Answer> =>
	http.ask('POST /api/v2/Events/Acknowledge', { json });

describe('a page of events', () => {
	it.each(['/Events', '/api/v2/Events', '/api/core/v1/Events'])(
		'comes to clients that accept JSON from %s, in pieces',
		async (path) => {
			await createAttributes('a', 'b', 'c');
			const first = await page('?after=0&limit=2', path);
			expect([first.status, valuesOf(first)]).toEqual([200, ['a', 'b']]);
			expect(first.result).toMatchObject({ position: 2, hasMore: true, isIncomplete: false });
			const rest = await page('?after=2', path);
			expect(valuesOf(rest)).toEqual(['c']);
			expect(rest.result).toMatchObject({ position: 3, hasMore: false });
			expect((await page('', path)).result).toMatchObject({ events: [], position: 3 });
		},
	);

	it('takes the names of the version that it asks for', async () => {
		await createAttributes('a');
		const [old, changed] = [
			'consumption.repositoryAttributeSucceeded',
			'consumption.attributeSucceeded',
		];
		const statusOf = async (query: string) => (await page(query)).status;
		expect(await statusOf(`?version=7&event=${changed}`)).toBe(200);
		expect(await statusOf(`?version=6&event=${old}`)).toBe(200);
		expect(await statusOf(`?event=${old}`)).toBe(200);
		for (const query of [
			`?version=7&event=${old}`,
			`?version=6&event=${changed}`,
			`?event=${changed}`,
		]) {
			const { status, error } = await page(query);
			expect([status, error?.code]).toEqual([400, 'error.runtime.validation.invalidPropertyValue']);
		}
	});

	it('has the events that names and patterns select, and warns of patterns without any', async () => {
		await createAttributes('a');
		const some = await page('?after=0&event=consumption.*&event=transport.x*');
		expect(valuesOf(some)).toEqual(['a']);
		expect(some.result.warnings).toEqual(["No event of version 6 matches 'transport.x*'."]);
		const none = await page('?after=0&event=transport.**');
		expect(none.result).toMatchObject({ events: [], position: 1 });
	});

	it.each([
		['?event=transport.unknown', 'error.runtime.validation.invalidPropertyValue'],
		['?limit=0', 'error.runtime.validation.invalidPropertyValue'],
		['?limit=501', 'error.runtime.validation.invalidPropertyValue'],
		['?limit=1e9', 'error.runtime.validation.invalidPropertyValue'],
		['?consumer=a/b', 'error.runtime.validation.invalidPropertyValue'],
		['?since=1', 'error.runtime.validation.invalidPropertyValue'],
		['?after=99', 'error.gateway.events.unknownPosition'],
	])('is refused for %s', async (query, code) => {
		const { status, error } = await page(query);
		expect([status, error.code]).toEqual([400, code]);
	});
});

describe('a consumer of pages', () => {
	it('gets events again until it acknowledges them, also after a restart', async () => {
		expect((await page('?consumer=crm')).result).toMatchObject({ events: [], position: 0 });
		await createAttributes('a', 'b');
		expect(valuesOf(await page('?consumer=crm'))).toEqual(['a', 'b']);
		expect(valuesOf(await page('?consumer=crm&limit=1'))).toEqual(['a']);
		expect((await acknowledge({ consumer: 'crm', position: 1 })).result).toEqual({ position: 1 });
		expect(valuesOf(await page('?consumer=crm'))).toEqual(['b']);
		expect((await acknowledge({ consumer: 'crm', position: 0 })).result).toEqual({ position: 1 });
		expect(valuesOf(await page('?consumer=other&after=0'))).toEqual(['a', 'b']);
	});

	it('cannot acknowledge what has not happened, and is forgotten when it is deleted', async () => {
		await createAttributes('a');
		const { error } = await acknowledge({ consumer: 'crm', position: 2 });
		expect(error.code).toBe('error.gateway.events.unknownPosition');
		await page('?consumer=crm&after=0');
		expect((await http.ask('DELETE /api/v2/Events/Consumers/crm')).status).toBe(204);
		expect(valuesOf(await page('?consumer=crm'))).toEqual([]);
	});
});

it('the stream takes patterns, below the prefixes too, and says which match nothing', async () => {
	const query = '?event=consumption.*&event=x.*';
	const client = await StreamClient.open(http, { query });
	const text = await fetch(`${http.server.address}/api/v2/Events?event=x.*`, {
		headers: { 'x-api-key': 'wrong' },
	});
	expect(text.status).toBe(401);
	await createAttributes('a');
	await until(() => client.events.length === 1);
	expect(client.comments).toContain("No event of version 6 matches 'x.*'.");
	await client.close();
});
