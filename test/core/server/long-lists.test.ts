import type { Gateway } from '../../../core';
import { GatewayError } from '../../../core/base/errors';
import { TestNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';
import { apiKey, HttpGateway } from './support/http-gateway';

/** records of one page of a list */
const pageSize = 500;

let network: TestNetwork;
let http: HttpGateway;
const names: string[] = [];
const closing: Array<() => Promise<void>> = [];

/** Every third attribute has no tag, so that a page of the tagged ones spans more than one page of all. */
const isTagged = (number: number): boolean => number % 3 !== 0;

/** Creates attributes until there are as many as asked for. */
async function fill(count: number): Promise<void> {
	while (names.length < count) {
		const name = `Given name ${names.length}`;
		await http.gateway.attributes.create({
			content: {
				value: { '@type': 'GivenName', value: name },
				...(isTagged(names.length) ? { tags: ['x:tagged'] } : {}),
			},
		});
		names.push(name);
	}
}

beforeAll(async () => {
	network = await TestNetwork.open();
	http = await HttpGateway.open(network);
});
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
	await http.close();
	await network.close();
});

const listed = async (path = '/Attributes', headers: Record<string, string> = {}) => {
	const answer = await http.ask(`GET ${path}`, { headers });
	const result = answer.result as Array<{ content: { value: { value: string } } }>;
	return { ...answer, names: result.map(({ content }) => content.value.value) };
};

describe('a list over HTTP', () => {
	it('of one page has an entity tag and a length', async () => {
		await fill(pageSize);
		const { headers } = await listed('/Attributes', { 'accept-encoding': 'identity' });
		expect(headers.get('etag')).toMatch(/^W\//);
		expect(headers.get('content-length')).toMatch(/^\d+$/);
	});

	it.each([
		['of one page', pageSize],
		['of two pages', 2 * pageSize],
		['that ends within a page', 2 * pageSize + 100],
	])('%s has every record once, in the order of their creation', async (_title, count) => {
		await fill(count);
		const plain = await listed();
		expect([plain.status, plain.headers.get('content-type')]).toEqual([
			200,
			'application/json; charset=utf-8',
		]);
		expect(plain.names).toEqual(names);
		const packed = await listed('/Attributes', { 'accept-encoding': 'gzip' });
		expect(packed.headers.get('content-encoding')).toBe('gzip');
		expect(packed.names).toEqual(names);
	});

	it('of several pages has no entity tag and no length, and varies as others do', async () => {
		await fill(pageSize + 1);
		const { headers } = await listed('/Attributes', { 'accept-encoding': 'identity' });
		expect(headers.get('etag')).toBeNull();
		expect(headers.get('content-length')).toBeNull();
		expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
		const short = await listed('/Attributes?content.value.@type=Surname');
		expect([short.names, short.headers.get('etag')]).toEqual([[], expect.stringMatching(/^W\//)]);
	});

	it('of several pages takes filters', async () => {
		await fill(2 * pageSize);
		const { names: found } = await listed('/Attributes?content.tags=x:tagged');
		expect(found).toEqual(names.filter((_name, number) => isTagged(number)));
		expect(found.length).toBeGreaterThan(pageSize);
		expect((await listed('/Attributes/Valid')).names).toEqual(names);
	});

	it('of several pages answers HEAD without a body', async () => {
		await fill(pageSize + 1);
		const { status, bytes } = await http.ask('HEAD /Attributes');
		expect([status, bytes.length]).toEqual([200, 0]);
	});
});

describe('a page that cannot be read', () => {
	/** Server of the same gateway, whose attributes cannot be read from the given page on. */
	async function failingFrom(page: number) {
		await fill(2 * pageSize + 1);
		const { attributes } = http.gateway;
		let reads = 0;
		const list: Gateway['attributes']['list'] = async (...input) => {
			if (++reads < page) return await attributes.list(...input);
			throw new GatewayError({
				code: 'error.gateway.store.postgresUnreachable',
				kind: 'unavailable',
				message: 'The database is away.',
			});
		};
		const facade = Object.create(http.gateway, {
			attributes: { value: Object.create(attributes, { list: { value: list } }) as object },
		}) as Gateway;
		const log = openLog();
		const other = await HttpGateway.open(network, { facade, logger: log.logger });
		closing.push(() => other.close());
		return { other, log };
	}

	it.each([1, 2])('is answered as an error as long as nothing was sent: %i', async (page) => {
		const { other } = await failingFrom(page);
		const { status, error } = await other.ask('GET /Attributes');
		expect([status, error.code]).toEqual([503, 'error.gateway.store.postgresUnreachable']);
	});

	it('breaks the connection later, so that no client takes a part for the whole', async () => {
		const { other, log } = await failingFrom(3);
		const answer = await fetch(`${other.server.address}/api/v2/Attributes`, {
			headers: { 'x-api-key': apiKey },
		});
		expect(answer.status).toBe(200);
		await expect(answer.text()).rejects.toThrow('terminated');
		expect(log.lines.join('\n')).toContain('a list could not be sent to its end');
		expect(log.lines.join('\n')).toContain('error.gateway.store.postgresUnreachable');
	});
});
