import { countries, languages } from '../../../../core/model/content/values/code-lists';
import type { Json, JsonObject } from '../../../../core/model/json';

/** Hints in the form of the vectors: see `meta.howToRead` in content.json. */
export function shortenedHints(value: Json): Json {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const entries = Object.entries(value).flatMap(([name, member]): Array<[string, Json]> => {
		if (name === '@type' || name === 'pattern') return [];
		if (name === 'values') return [[name, namesOf(member as JsonObject[])]];
		if (name === 'propertyHints' && Object.keys(member as object).length === 0) return [];
		return [[name, shortenedHints(member)]];
	});
	return Object.fromEntries(entries);
}

function namesOf(values: readonly JsonObject[]): Json {
	const keys = values.map(({ key }) => String(key));
	const isAbout = (list: ReadonlySet<string>) => keys.length === list.size;
	if (isAbout(countries.codes)) return 'COUNTRIES';
	return isAbout(languages.codes) ? 'LANGUAGES' : keys;
}
