import type { z } from 'zod';
import type { Dice } from '../harness/dice';
import { usualContents } from './usual-contents';

/** Texts of an attacker in place of ordinary text. */
export const hostileTexts: readonly string[] = [
	'',
	' ',
	'x',
	'true',
	'null',
	'-1e309',
	'ATTaaaaaaaaaaaaaaaaa',
	'FILaaaaaaaaaaaaaaaaa-and-more',
	'UkxU'.padEnd(88, 'A'),
	'VE9L'.padEnd(88, '-'),
	'https://a.b/r/TOKaaaaaaaaaaaaaaaaa#AAAA',
	'nmshd://tr#VE9L',
	'did:e:localhost:dids:0123456789abcdef012345',
	'2020-02-30',
	'9999-12-31T23:59:59.999Z',
	'+275760-09-13T00:00:00.001Z',
	'\u0000',
	'\ud800',
	'\u202eevil',
	"'; drop table attributes; --",
	'../../etc/passwd',
	'__proto__',
	'constructor',
	'${7*7}',
	'a'.repeat(5_000),
	'!',
	'>=',
	'~(a+)+$',
	'^',
	'#IdentityAttribute || (',
];

const numbers = [0, -0, -1, 1e308, 0.5, Number.MAX_SAFE_INTEGER, 2 ** 31];
const typeNames = ['IdentityAttribute', 'Request', 'Mail', 'GivenName', 'IQLQuery', 'Nonsense'];
const memberNames = ['value', 'items', 'owner', 'query', 'constructor', 'toString', 'x'];
const deepest = 4;

/** Random JSON of any shape. */
export function hostileValue(dice: Dice, depth = 0): unknown {
	const kind = dice.below(depth >= deepest ? 5 : 8);
	if (kind < 2) return dice.pick(hostileTexts);
	if (kind === 2) return dice.pick(numbers);
	if (kind === 3) return dice.happens(0.5);
	if (kind === 4) return null;
	if (kind === 5) {
		return Array.from({ length: dice.pick([0, 1, 3]) }, () => hostileValue(dice, depth + 1));
	}
	return {
		...(dice.happens(0.5) ? { '@type': dice.pick(typeNames) } : {}),
		...Object.fromEntries(
			Array.from({ length: dice.pick([0, 1, 2]) }, () => [
				dice.pick(memberNames),
				hostileValue(dice, depth + 1),
			]),
		),
	};
}

/** Schemas of members; absent where the route leaves validation to the use case. */
export type MemberSchemas = Readonly<Record<string, z.ZodType | undefined>>;

/** Body with the members of the route and valid, nearly valid or invalid values. */
export function hostileBody(dice: Dice, members: MemberSchemas, known: readonly string[]): unknown {
	if (dice.happens(0.05)) return hostileValue(dice);
	const usual = usualContents(known);
	const hostility = dice.pick([0.05, 0.3, 0.6]);
	const valueOf = (schema: z.ZodType | undefined): unknown => {
		const right = usual.filter((value) => schema?.safeParse(value).success !== false);
		if (right.length === 0 || dice.happens(hostility / 2)) return hostileValue(dice);
		const value = dice.pick(right);
		return dice.happens(hostility) ? nearlyRight(dice, value) : value;
	};
	const entries = Object.entries(members)
		.filter(() => !dice.happens(hostility / 2))
		.map(([name, schema]) => [name, valueOf(schema)]);
	return Object.fromEntries(entries) as unknown;
}

/** Copy of a value with one place changed, removed or added. */
function nearlyRight(dice: Dice, value: unknown): unknown {
	if (typeof value !== 'object' || value === null || dice.happens(0.15)) {
		return dice.happens(0.3) ? value : hostileValue(dice, deepest - 1);
	}
	if (Array.isArray(value)) {
		const at = dice.below(value.length + 1);
		return value
			.concat(at === value.length ? [hostileValue(dice, deepest)] : [])
			.map((entry: unknown, index) => (index === at ? nearlyRight(dice, entry) : entry));
	}
	const chosen = dice.pick([...Object.keys(value), dice.pick(memberNames)]);
	const { [chosen]: before, ...rest } = value as Record<string, unknown>;
	return dice.happens(0.2) ? rest : { ...rest, [chosen]: nearlyRight(dice, before) };
}
