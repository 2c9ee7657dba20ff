import {
	attributeTypeLabel,
	identityTypes,
	relationshipTypes,
	storedTypes,
} from '../../nodes/Enmeshed/descriptions/attribute-types';
import {
	compositeTypes,
	identityValueFields,
	specialTypes,
} from '../../nodes/Enmeshed/descriptions/identity-value';
import { relationshipValueFields } from '../../nodes/Enmeshed/descriptions/relationship-value';
import { countries, languages, sexes } from '../../core/model/content/values/code-lists';
import {
	identityValueTypes,
	relationshipValueTypes,
} from '../../core/model/content/values/value-types';
import { obstacleFor } from '../../core/model/content/generations';
import { partsOf, simpleKindOf } from '../../core/model/content/values/identity-values';

const valuesOf = (options: ReadonlyArray<{ value: unknown }>): string[] =>
	options.map(({ value }) => String(value));

describe('the types of attributes that forms offer', () => {
	it('are all the ones of identities and relationships', () => {
		expect(valuesOf(identityTypes).sort()).toEqual([...identityValueTypes].sort());
		expect(valuesOf(relationshipTypes).sort()).toEqual([...relationshipValueTypes].sort());
		expect(valuesOf(storedTypes)).toHaveLength(
			identityValueTypes.length + relationshipValueTypes.length,
		);
	});

	it('have names with their label and their type', () => {
		const names = identityTypes.map(({ name }) => name);
		expect(names).toEqual(
			expect.arrayContaining(['Given Name (GivenName)', 'Last Name (Surname)', 'City']),
		);
		expect(relationshipTypes.map(({ name }) => name)).toContain('Text (ProprietaryString)');
		expect(storedTypes.map(({ name }) => name)).toContain('Relationship: Text (ProprietaryString)');
		expect(attributeTypeLabel('GivenName')).toBe('Given Name');
	});

	it.each(identityTypes)(
		'tell of $value whether newer wallets take it',
		({ value, description }) => {
			const query = { '@type': 'IdentityAttributeQuery', valueType: String(value) };
			const isRefused = obstacleFor(7, query) !== undefined;
			expect(description === 'Wallets of version 7 do not accept it').toBe(isRefused);
			const isNew = obstacleFor(6, query) !== undefined;
			expect(description === 'Wallets of version 6 do not know it').toBe(isNew);
		},
	);
});

describe('the fields of a value', () => {
	it.each(identityValueTypes)('of %s have the parts that the core knows', (type) => {
		const parts = partsOf(type);
		if (parts === undefined) return expect(compositeTypes).not.toHaveProperty([type]);
		const named = (required: boolean) =>
			Object.keys(parts)
				.filter((name) => parts[name]?.required === required)
				.sort();
		expect([...(compositeTypes[type]?.required ?? [])].sort()).toEqual(named(true));
		expect([...(compositeTypes[type]?.optional ?? [])].sort()).toEqual(named(false));
		for (const [name, { type: partType }] of Object.entries(parts)) {
			const isNumber = partType !== 'text' && simpleKindOf(partType)?.json === 'integer';
			// Numbers are the parts of dates, which have one field for all parts.
			expect(isNumber).toBe((specialTypes.date as readonly string[]).includes(type));
			expect(name === 'country').toBe(
				partType !== 'text' && simpleKindOf(partType)?.codes === countries,
			);
		}
	});

	it('tell apart codes, numbers and texts as the core does', () => {
		const simple = identityValueTypes.filter((type) => simpleKindOf(type) !== undefined);
		const withCodes = (codes: unknown) =>
			simple.filter((type) => simpleKindOf(type)?.codes === codes);
		expect(specialTypes.country).toEqual(withCodes(countries));
		expect(specialTypes.language).toEqual(withCodes(languages));
		expect(specialTypes.sex).toEqual(withCodes(sexes));
		expect(specialTypes.number).toEqual(
			simple.filter((type) => simpleKindOf(type)?.json === 'integer'),
		);
	});

	it.each(identityValueTypes)('of %s are shown', (type) => {
		const shown = identityValueFields().filter(({ displayOptions }) =>
			displayOptions?.show?.['valueType']?.includes(type),
		);
		expect(shown.length).toBeGreaterThan(0);
		expect(new Set(shown.map(({ name }) => name)).size).toBe(shown.length);
	});

	it.each(relationshipValueTypes)('of the relationship type %s are shown', (type) => {
		const shown = relationshipValueFields({}).filter(({ displayOptions }) =>
			displayOptions?.show?.['relationshipValueType']?.includes(type),
		);
		expect(shown).toHaveLength(type === 'Consent' ? 3 : 1);
	});
});
