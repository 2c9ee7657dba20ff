import type * as z from 'zod';
import type { Gateway, GatewayConfigInput } from '../../../core';
import { routeGroups } from '../../../core/server/routes';
import { HttpGateway } from '../../core/server/support/http-gateway';
import { changed } from '../../interface/support/filters';
import { SandboxNetwork } from '../../support/gateways';
import { fillLists } from './listed-account';

jest.setTimeout(120_000);

type Listed = Readonly<Record<string, unknown>>;

interface FilteredList {
	readonly list: string;
	readonly fields: readonly string[];
	readonly result: z.ZodType | undefined;
}

/** Every route with filters. */
const filteredLists = routeGroups(false).flatMap(({ routes }) =>
	routes.flatMap(({ method, path, filters, result }): FilteredList[] =>
		filters !== undefined && 'shape' in filters
			? [{ list: `${method} ${path}`, fields: Object.keys(filters.shape as object), result }]
			: [],
	),
);

/** Fields that no record of the account has, and those that stand for objects. */
const withoutValue = new Set([
	...['shareInfo', 'deletionInfo', 'passwordProtection'],
	...['wasViewedAt', 'isDefault', 'shareInfo.thirdPartyAddress', 'wasAutomaticallyDecided'],
	'ownershipIsLocked',
]);

/** Filters that do more than compare a value: how they judge a record for the given text. */
const judges: Readonly<Record<string, (record: Listed, given: string) => boolean>> = {
	'content.validFrom': (record, given) =>
		textsAt(record, 'content.validFrom').some((at) => at >= given),
	'content.validTo': (record, given) =>
		textsAt(record, 'content.validTo').some((at) => at <= given),
};

/** Names under which a record has what a filter of another name compares. */
const places: Readonly<Record<string, readonly string[]>> = {
	templateId: ['template.id'],
	participant: ['createdBy', 'recipients.address'],
};

function valuesAt(value: unknown, path: readonly string[]): unknown[] {
	if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, path));
	const [name, ...rest] = path;
	if (name === undefined) return typeof value === 'object' || value === undefined ? [] : [value];
	return typeof value === 'object' && value !== null ? valuesAt((value as Listed)[name], rest) : [];
}

const valuesOf = (record: Listed, field: string): unknown[] =>
	(places[field] ?? [field]).flatMap((place) => valuesAt(record, place.split('.')));
const textsAt = (record: Listed, field: string): string[] => valuesOf(record, field).map(String);

/** Random tokens may begin like the operator of a query. */
const operator = /^[!><^$~]/;

const idsOf = (records: readonly Listed[]): unknown[] => records.map(({ id }) => id);

/** Fields by which lists of the library can be ordered, besides the order of insertion. */
const orders = {
	attributes: ['createdAt'],
	files: ['createdAt', 'expiresAt'],
	incomingRequests: ['createdAt', 'status'],
	messages: ['createdAt'],
	outgoingRequests: ['createdAt', 'status'],
	relationships: ['status'],
	templates: ['createdAt', 'expiresAt'],
	tokens: ['createdAt', 'expiresAt'],
} as const satisfies Partial<Record<keyof Gateway, readonly string[]>>;

const orderedLists = Object.entries(orders).flatMap(([list, fields]) =>
	['inserted', ...fields].flatMap((field) =>
		(['asc', 'desc'] as const).map((direction) => ({
			list: list as keyof typeof orders,
			orderBy: { field, direction },
		})),
	),
);

/**
 * Lists of one account with two peers: every filter of every route, and every order of the library
 * in one page and in several.
 */
export function describeLists(openPlace: () => Partial<GatewayConfigInput>): void {
	let network: SandboxNetwork;
	let http: HttpGateway;
	let peer: string;

	beforeAll(async () => {
		network = await SandboxNetwork.open({ maxUnreceivedMessages: 100 });
		http = await HttpGateway.open(network, {}, { ...network.config(), ...openPlace() });
		peer = await fillLists(network, http.gateway);
	});

	afterAll(async () => {
		await http.close();
		await network.close();
	});

	async function ask(list: string, filter: Record<string, string> = {}): Promise<Listed[]> {
		const isShared = list.includes('/Shared/');
		const query = new URLSearchParams({ ...(isShared ? { peer } : {}), ...filter });
		const call = `${list}?${query.toString()}`;
		const { status, result, error } = await http.ask(call);
		if (status !== 200) throw new Error(`${call}: ${error.message}`);
		return result as Listed[];
	}

	it.each(filteredLists)(
		'$list finds by each of its filters what has the value',
		async ({ list, fields }) => {
			const whole = await ask(list);
			expect(whole.length).toBeGreaterThan(1);
			if (fields.includes('isOwn') && /Own|Peer/.test(list)) {
				expect(new Set(whole.map(({ isOwn }) => isOwn))).toEqual(new Set([list.includes('Own')]));
			}
			const wrong: unknown[] = [];
			for (const field of fields) {
				const all = new Set(whole.flatMap((record) => valuesOf(record, field)));
				const values = [...all].filter((value) => !operator.test(String(value))).slice(0, 3);
				const [first] = values;
				const isInAll = whole.every((record) => valuesOf(record, field).includes(first));
				const isFixed = field === 'isOwn' && /Own|Peer/.test(list);
				if (isInAll && !isFixed) values.push(changed(first));
				for (const given of values.map(String)) {
					const found = idsOf(await ask(list, { [field]: given }));
					const fits = judges[field] ?? ((record) => textsAt(record, field).includes(given));
					const expected = idsOf(whole.filter((record) => fits(record, given)));
					if (found.toSorted().join() !== expected.toSorted().join())
						wrong.push({ field, given, found, expected });
				}
			}
			expect(wrong).toEqual([]);
		},
	);

	it.each(filteredLists)('$list shows the members of its schema only', async ({ list, result }) => {
		const { element } = result as z.ZodArray<z.ZodObject>;
		const whole = await ask(list);
		expect(whole.map((record) => element.strict().parse(record))).toEqual(whole);
	});

	it('every filter has a value to find in some list', async () => {
		const seen = new Set<string>();
		for (const { list, fields } of filteredLists) {
			const whole = await ask(list);
			for (const field of fields) {
				if (whole.some((record) => valuesOf(record, field).length > 0)) seen.add(field);
			}
		}
		const all = new Set(filteredLists.flatMap(({ fields }) => fields));
		expect([...all].filter((field) => !seen.has(field)).sort()).toEqual([...withoutValue].sort());
	});

	it.each(orderedLists)(
		'$list by $orderBy.field, $orderBy.direction, are the same in one page and in several',
		async ({ list, orderBy }) => {
			const { list: read } = http.gateway[list] as {
				list(input: object): Promise<Listed[]>;
			};
			const all = (await read.call(http.gateway[list], { orderBy })) as Listed[];
			const inserted = await read.call(http.gateway[list], {});
			expect(idsOf(all).sort()).toEqual(idsOf(inserted).sort());
			const { field, direction } = orderBy;
			const turned = direction === 'asc' ? all : [...all].reverse();
			if (field === 'inserted') expect(idsOf(turned)).toEqual(idsOf(inserted));
			else {
				const keys = turned.map((record) => String(record[field]));
				expect(keys).toEqual([...keys].sort());
			}
			const paged: Listed[] = [];
			for (let after: unknown; ; after = paged.at(-1)?.['id']) {
				const place = after === undefined ? {} : { after };
				const page = await read.call(http.gateway[list], { orderBy, limit: 2, ...place });
				const behind = { orderBy, limit: 2, offset: paged.length };
				expect(idsOf(await read.call(http.gateway[list], behind))).toEqual(idsOf(page));
				if (page.length === 0) break;
				paged.push(...page);
			}
			expect(idsOf(paged)).toEqual(idsOf(all));
		},
	);
}
