import { deflateSync } from 'node:zlib';
import { routeGroups } from '../../core/server/routes';
import type { Route } from '../../core/server/routes/route';
import type { Dice } from '../harness/dice';
import { hostileBody, hostileTexts, hostileValue, type MemberSchemas } from './hostile-values';

export interface HostileRequest {
	readonly method: string;
	/** path with query */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | Buffer;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE'];
const accepts = ['*/*', 'application/json', 'image/*, */*;q=0.1'];
const oddAccepts = ['image/png', 'text/html;q=x', ',;', '*/*;q=0'];
const json = { 'content-type': 'application/json' };
const brokenJson = [
	'{',
	'5',
	'"',
	'{"a":1,}',
	'[1',
	'{"__proto__":{}}',
	'\u0000',
	'{"a":"\ud800"}',
];

const allRoutes: readonly Route[] = routeGroups(false).flatMap(({ routes }) => routes);

/**
 * Generates requests to each route in rotation: mostly well-formed HTTP with invalid values,
 * sometimes an invalid body, path or method.
 *
 * @param known existing ids, references and addresses
 */
export function* hostileRequests(
	dice: Dice,
	known: readonly string[],
): Generator<HostileRequest, never> {
	for (;;) for (const route of allRoutes) yield hostileRequest(dice, route, known);
}

/** Encodes any text for a URL. */
const inUrl = (text: string): string => encodeURIComponent(text.toWellFormed());

function hostileRequest(dice: Dice, route: Route, known: readonly string[]): HostileRequest {
	const text = (): string =>
		dice.pick(dice.happens(0.3) && known.length > 0 ? known : hostileTexts);
	const path = dice.pick(['/api/v2', '/api/core/v1']) + pathOf(dice, route, known);
	const query = namesOf(route)
		.filter(() => dice.happens(0.3))
		.flatMap((name) => Array<string>(dice.happens(0.1) ? 2 : 1).fill(name))
		.map((name) => `${inUrl(name)}=${inUrl(text())}`)
		.join('&');
	const asked = {
		method: dice.happens(0.04) ? dice.pick(methods) : route.method,
		path: dice.happens(0.04) ? brokenPath(dice, path) : `${path}?${query}`,
	};
	const headers = {
		accept: dice.pick(dice.happens(0.08) ? oddAccepts : accepts),
		...(dice.happens(0.1) ? { 'x-correlation-id': dice.pick(['é', 'a'.repeat(3_000), ' ']) } : {}),
	};
	if (asked.method === 'GET' || asked.method === 'HEAD') return { ...asked, headers };
	const { body, ...described } = hostileContent(dice, route, known);
	return { ...asked, headers: { ...headers, ...described.headers }, body };
}

/** Fills the parameters of a path, in half of the cases with fitting existing values. */
function pathOf(dice: Dice, route: Route, known: readonly string[]): string {
	return route.path.replaceAll(/:\w+/g, (name) => {
		const schema = (route.parameters as MemberSchemas)[name.slice(1)];
		const right = known.filter((text) => schema?.safeParse(text).success === true);
		const texts = right.length > 0 && dice.happens(0.5) ? right : hostileTexts;
		return inUrl(dice.pick(texts)) || '%20';
	});
}

function namesOf({ query, filters }: Route): readonly string[] {
	const shapeOf = (schema: { readonly shape?: object } | undefined): object => schema?.shape ?? {};
	return [...Object.keys(shapeOf(query)), ...Object.keys(shapeOf(filters as never)), 'other'];
}

function brokenPath(dice: Dice, path: string): string {
	return dice.pick([
		`${path}%E0%A4%A`,
		`/${path}`,
		path.replace('/api', '/API/'),
		`${path}/${dice.pick(['..', '.', '%2e%2e', '%2F', ';a=b', '%00'])}`,
		`${path}?${'a=b&'.repeat(500)}`,
		`${path}?%zz=%&=&&[]=`,
	]);
}

/** Members of routes that read no body. */
const noMembers: MemberSchemas = { content: undefined, items: undefined };

type Content = Required<Pick<HostileRequest, 'headers' | 'body'>>;

function hostileContent(dice: Dice, route: Route, known: readonly string[]): Content {
	const members = (route.body as { shape?: MemberSchemas } | undefined)?.shape ?? noMembers;
	const names = Object.keys(members);
	if (route.multipart === true && dice.happens(0.7)) return multipart(dice, names);
	switch (dice.below(40)) {
		case 0:
			return { headers: json, body: dice.pick(brokenJson) };
		case 1:
			return { headers: json, body: '{"a":'.repeat(dice.pick([3, 65, 5_000])) };
		case 2:
			return { headers: { ...json, 'content-encoding': 'gzip' }, body: dice.bytes(50) };
		case 3:
			return {
				headers: { ...json, 'content-encoding': dice.pick(['deflate', 'zstd']) },
				body: deflateSync(JSON.stringify(hostileValue(dice))),
			};
		case 4:
			return {
				headers: { 'content-type': 'application/x-www-form-urlencoded' },
				body: names.map((name) => `${name}=${inUrl(dice.pick(hostileTexts))}`).join('&'),
			};
		case 5:
			return { headers: { 'content-type': dice.pick(['text/xml', 'x', '/']) }, body: '<a/>' };
		case 6:
			return multipart(dice, names);
		default:
			return { headers: json, body: JSON.stringify(hostileBody(dice, members, known)) };
	}
}

function multipart(dice: Dice, names: readonly string[]): Content {
	const parts = [...names, 'file'].map((name) => {
		const file = dice.happens(0.3) ? `; filename="${dice.pick(['a.txt', '', '"', '../x'])}"` : '';
		const value = dice.pick(hostileTexts);
		return `--b\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
	});
	const end = dice.pick(['--b--\r\n', '--b--', '', '--c--\r\n']);
	const boundary = dice.pick(['b', 'b', 'b', 'other', '']);
	return {
		headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
		body: Buffer.from(parts.join('') + end),
	};
}
