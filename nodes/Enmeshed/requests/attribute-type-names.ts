import { attributeTypeLabel, identityTypes } from '../descriptions/attribute-types';
import { loadCore } from '../gateway/core';

type Core = Awaited<ReturnType<typeof loadCore>>;

/** At most so many similar types are named for an unknown one. */
const maxSimilar = 3;

/** Common names of types that are labelled differently. */
const synonyms: ReadonlyArray<readonly [name: string, type: string]> = [
	['first name', 'GivenName'],
	['birthday', 'BirthDate'],
	['zip', 'ZipCode'],
];

const types = identityTypes.map(({ value }) => ({
	type: String(value),
	label: attributeTypeLabel(String(value)),
}));

/** Compares names without case, spaces and punctuation: 'e-mail address' is 'EMailAddress'. */
const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const typeOfName = new Map([
	...types.flatMap(({ type, label }) => [
		[letters(label), type] as const,
		[letters(type), type] as const,
		[letters(`${label} (${type})`), type] as const,
	]),
	...synonyms.map(([name, type]) => [letters(name), type] as const),
]);

/**
 * Attribute types for entered names, which are types (`GivenName`) or their labels ('Given Name').
 * A type that is named twice counts once.
 *
 * @throws `error.gateway.requests.unknownAttributeTypes` with the similar types of each unknown
 * name
 */
export async function attributeTypesOf(names: readonly string[]): Promise<string[]> {
	const unknown = names.filter((name) => !typeOfName.has(letters(name)));
	if (unknown.length === 0) {
		return [...new Set(names.map((name) => typeOfName.get(letters(name)) ?? name))];
	}
	const core = await loadCore();
	throw core.requestErrors.create('unknownAttributeTypes', {
		message: unknown.map((name) => describeUnknown(name, core)).join(' '),
	});
}

function describeUnknown(name: string, core: Core): string {
	const similar = similarTypes(name, core);
	return similar.length > 0
		? `There is no attribute type '${name}'. Similar: ${similar.join(', ')}.`
		: `There is no attribute type '${name}'. Types: ${types.map(({ type }) => type).join(', ')}.`;
}

/**
 * Types whose type or label contains the name or differs in few letters, the most similar first.
 */
function similarTypes(name: string, { changedLetters }: Core): string[] {
	const entered = letters(name);
	/** A name that contains the other counts as one change. */
	const distance = (a: string, b: string): number => {
		const [short, long] = a.length < b.length ? [a, b] : [b, a];
		return short.length > 2 && long.includes(short) ? 1 : changedLetters(a, b);
	};
	const distances = types.map(({ type, label }) => ({
		type,
		distance: Math.min(distance(entered, letters(type)), distance(entered, letters(label))),
	}));
	return distances
		.filter((found) => found.distance <= Math.max(2, entered.length / 4))
		.sort((a, b) => a.distance - b.distance)
		.slice(0, maxSimilar)
		.map(({ type }) => type);
}
