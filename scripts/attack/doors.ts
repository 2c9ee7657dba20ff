import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { playMix, type Kind, type MixReport, type Outcome } from '../harness/mix';
import { countsOf, verdict } from '../harness/report';
import { apiKey, withServedGateway, type ServedGateway } from '../served/served-gateway';
import { ask, result, type RawRequest } from './raw-request';

const keyOf = (name: string): string => `Opens-What-Its-Name-Says-0123456789-${name}!`;

/** Keys of the configuration, with the accounts that they open. */
const named = {
	north: { key: keyOf('north'), accounts: ['north'] },
	south: { key: keyOf('south'), accounts: ['south'] },
	ended: { key: keyOf('ended'), accounts: ['*'], expiresAt: '2020-01-01T00:00:00Z' },
	reader: { key: keyOf('reader'), accounts: ['*'], scopes: ['page:read'] },
};

/** Text that stands in each account and must never be shown to the others. */
const markOf = (account: string): string => `only-${account}-may-read-this`;

const accounts = ['default', 'north', 'south'] as const;
type Account = (typeof accounts)[number];

const prefixOf = (account: Account): string =>
	account === 'default' ? '/api/v2' : `/accounts/${account}/api/v2`;

/** Keys that open nothing of an account. */
const wrongKeysOf = (account: Account): readonly string[] => [
	named.ended.key,
	named.reader.key,
	...(account === 'default' ? [] : [apiKey]),
	...(account === 'north' ? [] : [named.north.key]),
	...(account === 'south' ? [] : [named.south.key]),
];

const keyPath = 'infrastructure__httpServer__authentication__apiKey__keys';

const environment = {
	...Object.fromEntries(
		Object.entries(named).map(([name, key]) => [`${keyPath}__${name}`, JSON.stringify(key)]),
	),
	infrastructure__httpServer__connectorVersion: '6',
	accounts__north: '{}',
	accounts__south: '{}',
	modules__coreHttpApi__docs__enabled: 'true',
};

/**
 * Attacks the doors of a gateway with several accounts: keys of other accounts on all routes,
 * sessions of the page for operators, webhooks that lead to this machine, and guessed keys.
 *
 * @param load number of tries with keys of other accounts, and of guessed keys
 */
export async function attackDoors(load: {
	readonly count: number;
	readonly atOnce: number;
}): Promise<void> {
	await withServedGateway(environment, async (gateway) => {
		await untilOpen(gateway);
		for (const account of accounts) await mark(gateway, account);
		const before = await stateOf(gateway);
		const routes = await routesOf(gateway);
		await report('accounts apart', gateway, [await foreignKeys(gateway, routes)], load);
		const session = await signIn(gateway, named.north.key);
		const few = { count: Math.ceil(load.count / 10), atOnce: Math.min(load.atOnce, 50) };
		await report('page for operators', gateway, pageKinds(gateway, session, routes), few);
		const unchanged = (await stateOf(gateway)) === before;
		verdict('what is stored', unchanged ? 'unchanged' : 'CHANGED', unchanged);
		await attackTargets(gateway);
		await report('guessed keys', gateway, guesses(gateway), load);
		const stillOpens = await ask(gateway.address, read('/api/v2/Attributes', apiKey));
		// Its own address has guessed too often by now; others are not kept out.
		verdict('refuses the address that guessed', stillOpens.status, stillOpens.status === 429);
	});
}

interface Route {
	readonly method: string;
	/** below the prefix of an account */
	readonly path: string;
}

/** All routes of an account, as the OpenAPI document lists them, with ids in their paths. */
async function routesOf({ address }: ServedGateway): Promise<readonly Route[]> {
	const { text } = await ask(address, { method: 'GET', path: '/docs/json' });
	const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
	const routes = Object.entries(paths).flatMap(([path, methods]) =>
		Object.keys(methods).map((method) => ({
			method: method.toUpperCase(),
			path: path
				.replace(/^\/api\/(v2|core\/v1)/, '')
				.replaceAll(/\{\w+\}/g, 'ATT00000000000000000'),
		})),
	);
	const ofAccounts = routes.filter(({ path }) => !/^\/(health|docs)/i.test(path));
	if (ofAccounts.length < 50) throw new Error('The document lists too few routes.');
	return ofAccounts;
}

async function foreignKeys(gateway: ServedGateway, routes: readonly Route[]): Promise<Kind> {
	const stored: Record<string, string> = {};
	for (const account of accounts) {
		const { key } = await result<{ key: string }>(gateway.address, {
			...{ method: 'POST', path: `${prefixOf(account)}/Keys` },
			headers: { 'x-api-key': ownKeyOf(account) },
			json: { name: 'stored', scopes: ['**'] },
		});
		stored[account] = key;
	}
	return {
		name: 'keys of other accounts',
		share: 1,
		allowed: [400, 401, 403, 404, 405],
		play: async (number) => {
			const account = turn(accounts, number);
			const others = accounts.filter((one) => one !== account);
			const keys = [...wrongKeysOf(account), ...others.map((one) => stored[one] ?? '')];
			const { method, path } = turn(routes, Math.floor(number / 3));
			const key = turn(keys, Math.floor(number / 7));
			const disguised = disguise(prefixOf(account) + path, Math.floor(number / 11), key);
			const headers = number % 5 === 0 ? bearer(key) : { 'x-api-key': key };
			const sent = { method, path: disguised, headers };
			return await judged(gateway, method === 'GET' ? sent : { ...sent, json: {} });
		},
	};
}

const ownKeyOf = (account: Account): string =>
	account === 'default' ? apiKey : named[account].key;

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** Other ways to write a path, some of which lead through the account of the key. */
function disguise(path: string, number: number, key: string): string {
	const own = key === named.north.key ? 'north' : 'south';
	return turn(
		[
			path,
			path,
			path,
			path.toUpperCase(),
			`${path}/`,
			path.replaceAll('/', '//'),
			`/accounts/${own}/api/v2/../../../..${path}`,
			`/accounts/${own}%2f..${path.replaceAll('/', '%2f')}`,
			`/accounts/${own}/..${path}`,
			path.replace('/api', '/%61pi'),
			`/.${path}`,
		],
		number,
	);
}

interface PageSession {
	readonly cookie: string;
	readonly csrf: string;
}

async function signIn({ address }: ServedGateway, key: string): Promise<PageSession> {
	const answer = await ask(address, { method: 'POST', path: '/admin/session', json: { key } });
	const [cookie = ''] = answer.headers['set-cookie'] ?? [];
	const { csrf } = (JSON.parse(answer.text) as { result: { csrf: string } }).result;
	return { cookie: cookie.split(';')[0] ?? '', csrf };
}

/** Calls in the name of a person who may use the account 'north' only. */
function pageKinds(
	gateway: ServedGateway,
	{ cookie, csrf }: PageSession,
	routes: readonly Route[],
): readonly Kind[] {
	const withToken = { cookie, 'x-csrf-token': csrf };
	const newKey = { name: 'forged', scopes: ['**'] };
	const create: RawRequest = { method: 'POST', path: '/admin/api/accounts/north/Keys' };
	const forgeries: readonly RawRequest[] = [
		{ ...create, json: newKey, headers: { cookie } },
		{ ...create, json: newKey, headers: { cookie, 'x-csrf-token': '' } },
		{ ...create, json: newKey, headers: { cookie, 'x-csrf-token': `${csrf.slice(1)}x` } },
		{ ...create, json: newKey, headers: { ...withToken, 'sec-fetch-site': 'cross-site' } },
		{ ...create, json: newKey, headers: { ...withToken, 'sec-fetch-site': 'same-site' } },
		{
			...create,
			body: 'name=forged&scopes=**',
			headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
		},
		{ ...create, body: JSON.stringify(newKey), headers: { cookie, 'content-type': 'text/plain' } },
		{ ...create, method: 'OPTIONS', headers: { cookie, origin: 'https://evil.example' } },
		{ method: 'DELETE', path: '/admin/session', headers: { cookie } },
	];
	return [
		{
			name: 'other accounts',
			share: 2,
			allowed: [400, 401, 403, 404],
			play: async (number) => {
				const { method, path } = turn(routes, number >> 1);
				const place = turn(['default', 'accounts/south', 'accounts/SOUTH'], number);
				const called = `/admin/api/${place}${path}`;
				const sent = { method, path: called, headers: withToken };
				return await judged(gateway, method === 'GET' ? sent : { ...sent, json: {} });
			},
		},
		{
			name: 'forged calls',
			share: 1,
			allowed: [403, 415],
			play: async (number) => await judged(gateway, turn(forgeries, number)),
		},
		{
			name: 'cookie without the page',
			share: 1,
			allowed: [401],
			play: async (number) => {
				const place = turn([prefixOf('north'), prefixOf('south'), prefixOf('default')], number);
				const sent = { method: 'GET', path: `${place}/Attributes`, headers: withToken };
				return await judged(gateway, sent);
			},
		},
	];
}

const guesses = (gateway: ServedGateway): readonly Kind[] => [
	{
		name: 'as API key',
		share: 1,
		allowed: [401, 429],
		play: (number) => judged(gateway, read('/api/v2/Attributes', `Guess-${number}`)),
	},
	{
		name: 'of another account',
		share: 1,
		allowed: [401, 429],
		play: (number) =>
			judged(gateway, read(`${prefixOf('south')}/Attributes`, `enmeshed_${number}`)),
	},
	{
		name: 'on the page',
		share: 1,
		allowed: [401, 429],
		play: (number) =>
			judged(gateway, {
				...{ method: 'POST', path: '/admin/session', json: { key: `Guess-${number}` } },
			}),
	},
];

/** Registers webhooks that lead to this machine, and asks for a first delivery to each. */
async function attackTargets({ address }: ServedGateway): Promise<void> {
	let reached = 0;
	const listener = createServer((_incoming, outgoing) => {
		reached++;
		outgoing.end();
	});
	await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
	const { port } = listener.address() as AddressInfo;
	const hosts = [
		...['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '127.1', '2130706433'],
		...['0x7f000001', '0177.0.0.1', '0.0.0.0', '[::]', 'LOCALHOST.', 'localhost%00.example'],
		...['user@127.0.0.1', '127.0.0.1.nip.io', '169.254.169.254', '10.0.0.1', 'metadata'],
	];
	const targets = [
		...hosts.map((host) => `http://${host}:${port}/`),
		...['file:///etc/passwd', 'gopher://127.0.0.1/', 'ftp://127.0.0.1/', 'unix:/var/run/x.sock'],
		`${address}/accounts/south/api/v2/Account/Sync`,
	];
	const headers = { 'x-api-key': apiKey };
	const outcomes = new Map<Outcome, number>();
	for (const url of targets) {
		const json = { url, events: ['**'] };
		const created = await ask(address, {
			...{ method: 'POST', path: '/api/v2/Webhooks', headers, json },
		});
		outcomes.set(created.status, (outcomes.get(created.status) ?? 0) + 1);
		if (created.status !== 201) continue;
		const { id } = (JSON.parse(created.text) as { result: { id: string } }).result;
		await ask(address, { method: 'POST', path: `/api/v2/Webhooks/${id}/Test`, headers, json: {} });
		await ask(address, { method: 'DELETE', path: `/api/v2/Webhooks/${id}`, headers });
	}
	await new Promise((resolve) => listener.close(resolve));
	console.log(`\nwebhooks to this machine: ${countsOf(outcomes)}`);
	verdict('calls that have reached it', reached, reached === 0);
}

async function report(
	name: string,
	{ pid }: ServedGateway,
	kinds: readonly Kind[],
	load: { readonly count: number; readonly atOnce: number },
): Promise<void> {
	const { outcomes, wrong, seconds }: MixReport = await playMix(kinds, { ...load, pid });
	console.log(`\n${name}: ${load.count} tries in ${seconds.toFixed(0)} s`);
	for (const [kind, counts] of outcomes) {
		verdict(kind.name, countsOf(counts), wrong.get(kind) === 0);
	}
}

/** Status of an answer; an answer that shows what an account contains is named as such. */
async function judged({ address }: ServedGateway, sent: RawRequest): Promise<Outcome> {
	const { status, text } = await ask(address, sent);
	const shown = accounts.find((account) => text.includes(markOf(account)));
	return shown === undefined ? status : `SHOWS ${shown}: ${sent.method} ${sent.path}`;
}

async function untilOpen({ address }: ServedGateway): Promise<void> {
	for (;;) {
		const opened = await result<Array<{ state: string }>>(address, read('/accounts', apiKey));
		if (opened.every(({ state }) => state === 'running')) return;
	}
}

async function mark({ address }: ServedGateway, account: Account): Promise<void> {
	await result(address, {
		...{ method: 'POST', path: `${prefixOf(account)}/Attributes` },
		headers: { 'x-api-key': ownKeyOf(account) },
		json: { content: { value: { '@type': 'DisplayName', value: markOf(account) } } },
	});
}

/** What an attack could have changed, as one text. */
async function stateOf({ address }: ServedGateway): Promise<string> {
	const states = [];
	for (const account of accounts) {
		for (const noun of ['Attributes', 'Webhooks', 'RelationshipTemplates', 'Files']) {
			const path = `${prefixOf(account)}/${noun}`;
			states.push(await result<unknown>(address, read(path, ownKeyOf(account))));
		}
	}
	states.push(await result<unknown>(address, read('/accounts', apiKey)));
	return JSON.stringify(states);
}

const read = (path: string, key: string): RawRequest => ({
	...{ method: 'GET', path, headers: { 'x-api-key': key } },
});

function turn<Value>(values: readonly Value[], number: number): Value {
	const value = values[number % values.length];
	if (value === undefined) throw new TypeError('There is nothing to take turns with');
	return value;
}
