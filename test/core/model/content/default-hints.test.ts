import { countries, languages } from '../../../../core/model/content/values/code-lists';
import { parseReceivedContent } from '../../../../core/model/content/content-registry';
import {
	defaultHintsOf,
	effectiveValueHints,
} from '../../../../core/model/content/values/default-hints';
import {
	identityValueTypes,
	relationshipValueTypes,
} from '../../../../core/model/content/values/value-types';
import type { Json, JsonObject } from '../../../../core/model/json';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';
import { contentVectors } from './content-vectors';

const { hints } = contentVectors;

/** In the form of the vectors: see `meta.howToRead` there. */
function shortened(value: Json): Json {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const entries = Object.entries(value).flatMap(([name, member]): Array<[string, Json]> => {
		if (name === '@type' || name === 'pattern') return [];
		if (name === 'values') return [[name, namesOf(member as JsonObject[])]];
		if (name === 'propertyHints' && Object.keys(member as object).length === 0) return [];
		return [[name, shortened(member)]];
	});
	return Object.fromEntries(entries);
}

function namesOf(values: readonly JsonObject[]): Json {
	const keys = values.map(({ key }) => String(key));
	const isAbout = (list: ReadonlySet<string>) => keys.length === list.size;
	if (isAbout(countries.codes)) return 'COUNTRIES';
	return isAbout(languages.codes) ? 'LANGUAGES' : keys;
}

describe('the hints of value types', () => {
	it('are recorded for all types', () => {
		const types = [...identityValueTypes, ...relationshipValueTypes];
		expect(Object.keys(hints).sort()).toEqual(types.sort());
	});

	it.each(Object.entries(hints))('are those of official software: %s', (type, recorded) => {
		const { valueHints, renderHints } = defaultHintsOf(type) ?? fail();
		expect(shortened(valueHints)).toEqual(recorded['valueHints']);
		expect(shortened(renderHints)).toEqual(recorded['renderHints']);
	});

	it.each(Object.keys(hints))('are content that can be sent: %s', (type) => {
		const { valueHints, renderHints } = defaultHintsOf(type) ?? fail();
		expect(parseReceivedContent(valueHints)).toEqual(valueHints);
		expect(parseReceivedContent(renderHints)).toEqual(renderHints);
	});

	it('name the texts to show for codes', () => {
		const values = (type: string) => defaultHintsOf(type)?.valueHints['values'];
		expect(values('Citizenship')).toContainEqual({
			key: 'DE',
			displayName: 'i18n://attributes.values.countries.DE',
		});
		expect(values('ProprietaryLanguage')).toContainEqual({
			key: 'en',
			displayName: 'i18n://attributes.values.languages.en',
		});
		expect(values('Sex')).toContainEqual({
			key: 'intersex',
			displayName: 'i18n://attributes.values.sex.intersex',
		});
	});

	it('do not exist for other types', () => {
		expect(defaultHintsOf('Request')).toBeUndefined();
		expect(defaultHintsOf('constructor')).toBeUndefined();
	});

	it('can be overridden one by one', () => {
		const { valueHints } = defaultHintsOf('StreetAddress') ?? fail();
		const override = parseReceivedContent({
			'@type': 'ValueHintsOverride',
			editHelp: 'Where?',
			propertyHints: { street: { max: 50 } },
		});
		const propertyHints = valueHints['propertyHints'] as JsonObject;
		expect(effectiveValueHints(valueHints, override)).toEqual({
			...valueHints,
			editHelp: 'Where?',
			propertyHints: {
				...propertyHints,
				street: { '@type': 'ValueHints', max: 50, propertyHints: {} },
			},
		});
	});
});

describe('the lists of codes', () => {
	it('are the recorded ones', () => {
		expect([...countries.codes].sort()).toEqual([...contentVectors.countries].sort());
		expect([...languages.codes].sort()).toEqual([...contentVectors.languages].sort());
	});
});

function fail(): never {
	throw new Error('the type has no hints');
}

itReadsItsVectors(__filename);
