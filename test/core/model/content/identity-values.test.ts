import { loosely } from '../../../support/loosely';
import { parseReceivedContent } from '../../../../core/model/content/content-registry';
import { childValuesOf, partsOf } from '../../../../core/model/content/values/identity-values';
import {
	compositeIdentityValues,
	identityValueTypes,
	simpleIdentityValues,
} from '../../../../core/model/content/values/value-types';

describe('the types of identity values', () => {
	it('are simple or made of parts, apart from credentials', () => {
		const types = [
			...Object.keys(simpleIdentityValues),
			...Object.keys(compositeIdentityValues),
			'VerifiableCredential',
		];
		expect(types.sort()).toEqual([...identityValueTypes]);
		expect(types.filter((type) => partsOf(type) !== undefined).sort()).toEqual(
			Object.keys(compositeIdentityValues).sort(),
		);
	});

	it('tell their parts in the order of validation', () => {
		expect(partsOf('Affiliation')).toEqual({
			role: { type: 'AffiliationRole', required: false },
			organization: { type: 'AffiliationOrganization', required: true },
			unit: { type: 'AffiliationUnit', required: false },
		});
	});

	it('have no parts when they are not composite', () => {
		expect(partsOf('DisplayName')).toBeUndefined();
		expect(partsOf('constructor')).toBeUndefined();
	});
});

describe('the children of a value', () => {
	it('are its typed parts that are there, each a readable value', () => {
		const value = parseReceivedContent({
			'@type': 'DeliveryBoxAddress',
			userId: 'u',
			deliveryBoxId: 'd',
			zipCode: '1',
			city: { value: 'C' },
			country: 'DE',
			state: null,
			recipient: 'R',
		});
		const children = childValuesOf(loosely(value));
		expect(children).toEqual([
			{ '@type': 'ZipCode', value: '1' },
			{ '@type': 'City', value: 'C' },
			{ '@type': 'Country', value: 'DE' },
		]);
		expect(children.map(parseReceivedContent)).toEqual(children);
	});

	it('do not exist for a simple one', () => {
		expect(childValuesOf({ '@type': 'DisplayName', value: 'Jane' })).toEqual([]);
	});
});

describe('a date of birth', () => {
	const read = (date: Date) => () =>
		parseReceivedContent({
			'@type': 'BirthDate',
			day: date.getDate(),
			month: date.getMonth() + 1,
			year: date.getFullYear(),
		});
	const inDays = (days: number) => {
		const date = new Date();
		date.setDate(date.getDate() + days);
		return date;
	};

	it('may be today, but not later', () => {
		expect(read(inDays(0))).not.toThrow();
		expect(read(inDays(2))).toThrow('the date is in the future');
	});

	it('may be in the first century', () => {
		expect(parseReceivedContent({ '@type': 'BirthDate', day: 29, month: 2, year: 4 })).toEqual({
			'@type': 'BirthDate',
			day: 29,
			month: 2,
			year: 4,
		});
	});
});
