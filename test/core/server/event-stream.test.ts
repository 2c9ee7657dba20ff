import { connect, type Socket } from 'node:net';
import { TestNetwork } from '../../support/gateways';
import { until } from '../../support/until';
import { apiKey, HttpGateway } from './support/http-gateway';
import { StreamClient, type StreamRequest } from './support/stream-client';

/* docs/protocol/http-api.md 10.5 */
let network: TestNetwork;
let http: HttpGateway;
let clients: StreamClient[];

beforeAll(async () => {
	network = await TestNetwork.open();
});
afterAll(() => network.close());
beforeEach(async () => {
	http = await HttpGateway.open(network);
	clients = [];
});
afterEach(async () => {
	for (const client of clients) await client.close();
	await http.close();
});

async function follow(request: StreamRequest = {}, at = http): Promise<StreamClient> {
	const client = await StreamClient.open(at, request);
	clients.push(client);
	return client;
}

async function createAttribute(value: string, at = http): Promise<void> {
	await at.gateway.attributes.create({ content: { value: { '@type': 'DisplayName', value } } });
}

/** One event each, `consumption.attributeCreated`. */
async function createAttributes(...values: string[]): Promise<void> {
	for (const value of values) await createAttribute(value);
}

const valuesOf = (client: StreamClient): string[] =>
	client.events.map(({ data }) => {
		const { data: attribute } = JSON.parse(data) as {
			data: { content: { value: { value: string } } };
		};
		return attribute.content.value.value;
	});

describe('the event stream', () => {
	it('carries what happens from now on, with sequence, name and the whole event', async () => {
		await createAttribute('before');
		const client = await follow();
		expect(client.answer.status).toBe(200);
		expect(client.answer.headers.get('content-type')).toBe('text/event-stream');
		expect(client.answer.headers.get('cache-control')).toBe('no-store');
		expect(client.answer.headers.get('content-encoding')).toBeNull();
		await createAttributes('é\n☃', 'second');
		await until(() => client.events.length === 2);
		const [event] = await http.gateway.events.recent({}, 2);
		expect(client.events[0]).toEqual({
			id: String(event?.sequence),
			event: 'consumption.attributeCreated',
			data: JSON.stringify(event),
		});
		expect(valuesOf(client)).toEqual(['é\n☃', 'second']);
	});

	it('begins after the event that is named, be it the very first', async () => {
		await createAttributes('a', 'b', 'c');
		const all = await follow({ query: '?after=0' });
		await until(() => all.events.length === 3);
		expect(all.events.map(({ id }) => id)).toEqual(['1', '2', '3']);
		const rest = await follow({ query: '?after=2' });
		await until(() => rest.events.length === 1);
		expect(valuesOf(rest)).toEqual(['c']);
	});

	it('goes on after Last-Event-ID, without a gap and without a repetition', async () => {
		const first = await follow({ query: '?after=0' });
		await createAttributes('a', 'b');
		await until(() => first.events.length === 2);
		await first.close();
		await createAttributes('c', 'd');
		const headers = { 'last-event-id': first.lastId ?? '' };
		const second = await follow({ query: '?after=0', headers });
		await until(() => second.events.length === 2);
		await createAttribute('e');
		await until(() => second.events.length === 3);
		expect([...valuesOf(first), ...valuesOf(second)]).toEqual(['a', 'b', 'c', 'd', 'e']);
	});

	it('gives a position before the first event', async () => {
		await createAttributes('a', 'b');
		const client = await follow();
		await until(() => client.lastId === '2');
		await client.close();
		await createAttribute('c');
		const again = await follow({ headers: { 'last-event-id': '2' } });
		await until(() => again.events.length === 1);
		expect(valuesOf(again)).toEqual(['c']);
	});

	it('carries the events of the wanted names only, and positions of what it passes over', async () => {
		const templates = 'transport.peerRelationshipTemplateLoaded';
		const other = await follow({ query: `?event=${templates}` });
		const both = await follow({ query: `?event=${templates}&event=consumption.attributeCreated` });
		await createAttributes('a', 'b');
		await until(() => both.events.length === 2 && other.lastId === '2');
		expect(other.events).toEqual([]);
		expect(both.names).toEqual(['consumption.attributeCreated', 'consumption.attributeCreated']);
	});

	it('shows that it is alive while nothing happens', async () => {
		const quick = await HttpGateway.open(network, { streamTimes: { heartbeatMs: 20 } });
		const client = await follow({}, quick);
		await until(() => client.comments.length >= 3);
		expect(client.events).toEqual([]);
		await quick.close();
	});

	it('ends when the server closes, at once and properly', async () => {
		const slow = await HttpGateway.open(network, { drainMs: 600_000 });
		const client = await follow({}, slow);
		await until(() => client.lastId !== undefined);
		await slow.close();
		await expect(client.ended).resolves.toBeUndefined();
	});

	it('ends when the gateway closes', async () => {
		const client = await follow();
		await until(() => client.lastId !== undefined);
		await http.gateway.close();
		await expect(client.ended).resolves.toBeUndefined();
	});

	it('ends after its longest time, so that keys and tokens are looked at again', async () => {
		const brief = await HttpGateway.open(network, { streamTimes: { longestMs: 50 } });
		const client = await follow({}, brief);
		await expect(client.ended).resolves.toBeUndefined();
		await brief.close();
	});

	it('costs nothing any more when its client has gone', async () => {
		const watched = await HttpGateway.open(network);
		const signals: AbortSignal[] = [];
		const read = watched.gateway.events.follow;
		Object.assign(watched.gateway.events, {
			follow: (options: Parameters<typeof read>[0]) => {
				signals.push(options.signal);
				return read(options);
			},
		});
		const client = await follow({}, watched);
		await until(() => client.lastId !== undefined);
		expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
		await client.close();
		await until(() => signals.every(({ aborted }) => aborted));
		await watched.close();
	});

	it('is cut for a client that does not read, whose events wait in the store only', async () => {
		const strict = await HttpGateway.open(network, {
			drainMs: 600_000,
			streamTimes: { unreadMs: 300 },
		});
		let ending: AbortSignal | undefined;
		const large = 'x'.repeat(200_000);
		let pages = 0;
		Object.assign(strict.gateway.events, {
			follow: async function* ({ signal }: { signal: AbortSignal }) {
				ending = signal;
				yield { events: [], position: 0, isIncomplete: false };
				for (;;) {
					pages++;
					const event = {
						id: 'EVT1',
						sequence: pages,
						event: 'transport.messageReceived',
						createdAt: '',
						data: { large },
					};
					yield { events: [event], position: pages, isIncomplete: false };
				}
			},
		});
		const socket = await lazyClient(strict);
		await until(() => ending?.aborted === true);
		// What fits into the buffers of two sockets, and not an endless stream of pages.
		expect(pages).toBeLessThan(500);
		// It would wait for a connection that is still open.
		await strict.close();
		socket.destroy();
	});
});

describe('a request for the event stream', () => {
	it.each([
		['without a key', '', { 'x-api-key': '' }, 401, 'error.connector.unauthorized'],
		['with a wrong key', '', { 'x-api-key': 'wrong' }, 401, 'error.connector.unauthorized'],
		[
			'that accepts other types only',
			'',
			{ accept: 'text/html' },
			406,
			'error.connector.http.notAcceptable',
		],
		[
			'for an event that there is not',
			'?event=transport.unknown',
			{},
			400,
			'error.runtime.validation.invalidPropertyValue',
		],
		['after no number', '?after=-1', {}, 400, 'error.runtime.validation.invalidPropertyValue'],
		[
			'with a Last-Event-ID that is not a number',
			'',
			{ 'last-event-id': 'EVT1' },
			400,
			'error.runtime.validation.invalidPropertyValue',
		],
		[
			'with a word it does not know',
			'?since=1',
			{},
			400,
			'error.runtime.validation.invalidPropertyValue',
		],
		['after what has not happened', '?after=999', {}, 400, 'error.gateway.events.unknownPosition'],
	])('%s is refused', async (_name, query, headers, status, code) => {
		const { answer, text } = await whole(query, headers);
		expect(answer.status).toBe(status);
		expect((JSON.parse(text) as { error: { code: string } }).error.code).toBe(code);
	});

	it('by another method is refused', async () => {
		const { status, error, headers } = await http.ask('POST /Events');
		expect([status, headers.get('allow')]).toEqual([405, 'GET']);
		expect(error.code).toBe('error.connector.http.methodNotAllowed');
	});

	it('beyond the number of streams is refused, until another one ends', async () => {
		const streams: StreamClient[] = [];
		for (let count = 0; count < 100; count++) streams.push(await follow());
		const { answer, text } = await whole('', {});
		expect(answer.status).toBe(503);
		expect(text).toContain('error.gateway.http.tooManyStreams');
		await streams[0]?.close();
		await until(async () => {
			const one = await follow();
			return one.answer.status === 200;
		});
	});
});

async function whole(
	query: string,
	headers: Record<string, string>,
): Promise<{ answer: Response; text: string }> {
	const answer = await fetch(`${http.server.address}/Events${query}`, {
		headers: { 'x-api-key': apiKey, ...headers },
	});
	return { answer, text: await answer.text() };
}

/** Asks, and never reads what comes. */
async function lazyClient(at: HttpGateway): Promise<Socket> {
	const { hostname, port } = new URL(at.server.address);
	const socket = connect(Number(port), hostname);
	socket.on('error', () => undefined);
	socket.pause();
	await new Promise((resolve) => socket.once('connect', resolve));
	socket.write(`GET /Events HTTP/1.1\r\nhost: a\r\nx-api-key: ${apiKey}\r\n\r\n`);
	return socket;
}
