import { routeGroups } from '../../../core/server/routes';
import { TestNetwork } from '../../support/gateways';
import { HttpGateway } from './support/http-gateway';

jest.setTimeout(300_000);

/* Whatever strangers send, over all routes: a code that says what is wrong with it, and no change. */
const rounds = 20;
let network: TestNetwork;
let http: HttpGateway;
beforeAll(async () => {
	network = await TestNetwork.open();
	http = await HttpGateway.open(network);
});
afterAll(async () => {
	await http.close();
	await network.close();
});

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
const random = seeded(20_260_101);
const pick = <Value>(values: readonly Value[]): Value =>
	values[Math.floor(random() * values.length)] as Value;

const texts = [
	'',
	' ',
	'x',
	'ATTaaaaaaaaaaaaaaaaa',
	'FILaaaaaaaaaaaaaaaaa-and-more',
	'UkxU'.padEnd(88, 'A'),
	'https://a.b/r/TOKaaaaaaaaaaaaaaaaa#AAAA',
	'did:e:localhost:dids:0123456789abcdef012345',
	'2020-02-30',
	'\u0000',
	'\ud800',
	"'; drop table attributes; --",
	'../../etc/passwd',
	'__proto__',
	'constructor',
	'${7*7}',
	'a'.repeat(5_000),
	'!',
	'>=',
	'~(a+)+$',
];
const types = ['IdentityAttribute', 'Request', 'Mail', 'GivenName', 'IQLQuery', 'Nonsense'];

function hostileValue(depth = 0): unknown {
	const kind = Math.floor(random() * (depth > 3 ? 5 : 8));
	if (kind < 2) return pick(texts);
	if (kind === 2) return pick([0, -1, 1e308, 0.5, Number.MAX_SAFE_INTEGER]);
	if (kind === 3) return pick([true, false]);
	if (kind === 4) return null;
	if (kind === 5) return Array.from({ length: pick([0, 1, 3]) }, () => hostileValue(depth + 1));
	return {
		...(random() < 0.5 ? { '@type': pick(types) } : {}),
		...Object.fromEntries(
			Array.from({ length: pick([0, 1, 2]) }, () => [
				pick(['value', 'items', 'owner', 'query', 'constructor', 'toString', 'x']),
				hostileValue(depth + 1),
			]),
		),
	};
}

/** Members that the route knows, with values that it may not expect. */
function hostileBody(members: readonly string[]): unknown {
	if (random() < 0.1) return hostileValue();
	const used = members.filter(() => random() < 0.8);
	return Object.fromEntries(used.map((name) => [name, hostileValue()]));
}

/** Whatever could be encoded in a URL. */
const inUrl = (text: string): string => encodeURIComponent(text.toWellFormed());

describe('hostile input', () => {
	it('is answered with a code of what is wrong, on every route, and changes nothing', async () => {
		const before = await everythingStored();
		const surprises: string[] = [];
		const statuses = new Map<number, number>();
		for (let round = 0; round < rounds; round++) {
			for (const { routes } of routeGroups(false)) {
				for (const route of routes) {
					const path = route.path.replaceAll(/:\w+/g, () => inUrl(pick(texts)) || '%20');
					const names = [
						...Object.keys((route.query as { shape?: object })?.shape ?? { x: 1 }),
						...Object.keys((route.filters as { shape?: object })?.shape ?? { y: 1 }),
					];
					const query = names
						.filter(() => random() < 0.3)
						.map((name) => `${inUrl(name)}=${inUrl(pick(texts))}`)
						.join('&');
					const members = Object.keys((route.body as { shape?: object })?.shape ?? { content: 1 });
					const call = `${route.method} ${path}?${query}`;
					const json = route.method === 'GET' ? undefined : hostileBody(members);
					const answer = await http.ask(call, {
						...(json === undefined ? {} : { json }),
						headers: { accept: pick(['*/*', 'image/png', 'application/json']) },
					});
					statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
					const isKnown = answer.status < 300 || /^error\./.test(answer.error?.code ?? '');
					if (!isKnown || answer.error?.code === 'error.connector.unexpected') {
						surprises.push(`${answer.status} ${call} ${JSON.stringify(json)?.slice(0, 300)}`);
					}
				}
			}
		}
		expect(surprises).toEqual([]);
		expect(statuses.get(400)).toBeGreaterThan(rounds);
		expect(await everythingStored()).toEqual(before);
	});
});

async function everythingStored(): Promise<unknown> {
	const { templates, files, messages, relationships, outgoingRequests } = http.gateway;
	const lists = [templates, files, messages, relationships, outgoingRequests];
	const tokens = await http.gateway.tokens.list();
	const attributes = await http.gateway.attributes.list();
	return [tokens, attributes, ...(await Promise.all(lists.map((list) => list.list())))];
}
