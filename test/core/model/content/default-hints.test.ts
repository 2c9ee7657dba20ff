import { countries, languages } from '../../../../core/model/content/values/code-lists';
import { version7ValueTypes } from '../../../../core/model/content/content-types';
import { parseReceivedContent } from '../../../../core/model/content/content-registry';
import {
	defaultHintsOf,
	effectiveValueHints,
} from '../../../../core/model/content/values/default-hints';
import {
	identityValueTypes,
	relationshipValueTypes,
} from '../../../../core/model/content/values/value-types';
import type { JsonObject } from '../../../../core/model/json';
import { failingRows } from '../../../support/failing-rows';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';
import { contentVectors } from './content-vectors';
import { shortenedHints } from './shortened-hints';

const { hints } = contentVectors;

/** Version 7.5.1 has changed it (generation-7.md 4.6); render hints are never sent. */
const technicalTypeOf7 = { technicalType: 'Json' };

describe('the hints of value types', () => {
	it('are recorded for all types', () => {
		const newer: readonly string[] = version7ValueTypes;
		const types = [...identityValueTypes, ...relationshipValueTypes].filter(
			(type) => !newer.includes(type),
		);
		expect(Object.keys(hints).sort()).toEqual(types.sort());
	});

	it('are the ones of official software, and content that can be sent', () => {
		const failing = failingRows(Object.entries(hints), (recorded, type) => {
			const { valueHints, renderHints } = defaultHintsOf(type) ?? fail();
			expect(shortenedHints(valueHints)).toEqual(recorded['valueHints']);
			expect(shortenedHints(renderHints)).toEqual(
				type === 'ProprietaryJSON'
					? { ...(recorded['renderHints'] as JsonObject), ...technicalTypeOf7 }
					: recorded['renderHints'],
			);
			expect(parseReceivedContent(valueHints)).toEqual(valueHints);
			expect(parseReceivedContent(renderHints)).toEqual(renderHints);
		});
		expect(failing).toEqual([]);
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
