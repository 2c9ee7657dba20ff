import type { JsonObject } from '../../../../core/model/json';
import type { AttributeRecord } from '../../../../core/model/record/attribute';
import {
	anHourEarlier,
	anHourLater,
	attributeId,
	givenName,
	openConsumption,
	people,
	proprietaryText,
	storeAttribute,
	type Consumption,
} from '../request/consumption-fixtures';

/* docs/protocol/consumption.md 8.5 */

const sharedWithB = { peer: people.B, requestReference: 'REQ00000000000000001' };
const surname = { ...givenName('x'), value: { '@type': 'Surname' as const, value: 'Doe' } };
const records = {
	ann: { content: { ...givenName('Ann'), tags: ['x:a'], validFrom: anHourEarlier } },
	older: { content: givenName('An'), succeededBy: attributeId('ann') },
	doe: { content: { ...surname, tags: ['x:b'] } },
	copy: { content: givenName('Ann'), shareInfo: sharedWithB },
	bob: { content: givenName('Bob', people.B), shareInfo: sharedWithB },
	ours: { content: proprietaryText('k', people.A), shareInfo: sharedWithB },
	theirs: { content: proprietaryText('k', people.B), shareInfo: sharedWithB },
	hidden: {
		content: { ...proprietaryText('secret', people.B), confidentiality: 'private' },
		shareInfo: sharedWithB,
	},
	withC: { content: proprietaryText('k', people.C), shareInfo: { ...sharedWithB, peer: people.C } },
} satisfies Record<string, Omit<AttributeRecord, 'id' | 'createdAt'>>;
type Name = keyof typeof records;

let consumption: Consumption;
beforeAll(async () => {
	consumption = await openConsumption();
	for (const [name, parts] of Object.entries(records)) {
		await storeAttribute(consumption, { id: attributeId(name), ...parts });
	}
});
afterAll(() => consumption.dispose());

const queries = () => consumption.attributes.queries;
const namesOf = (attributes: ReadonlyArray<{ readonly id: string }>): Name[] =>
	(Object.keys(records) as Name[]).filter((name) =>
		attributes.some(({ id }) => id === attributeId(name)),
	);

describe('an IdentityAttributeQuery', () => {
	it.each<readonly [JsonObject, readonly Name[]]>([
		[{ valueType: 'GivenName' }, ['ann', 'older']],
		[{ valueType: 'GivenName', tags: ['x:a', 'x:z'] }, ['ann']],
		[{ valueType: 'GivenName', tags: [] }, ['ann', 'older']],
		[{ valueType: 'GivenName', validFrom: anHourEarlier }, ['ann']],
		[{ valueType: 'GivenName', validFrom: anHourLater }, []],
		[{ valueType: 'City' }, []],
	])('%j finds own attributes that are no copies', async (members, expected) => {
		const query = { '@type': 'IdentityAttributeQuery', ...members };
		expect(namesOf(await queries().identity({ query }))).toEqual(expected);
	});

	it('is refused when it is none', async () => {
		await expect(queries().identity({ query: { valueType: 'Nope' } })).rejects.toMatchObject({
			code: 'error.runtime.requestDeserialization',
		});
	});
});

describe('an IQLQuery', () => {
	it.each<readonly [string, readonly Name[]]>([
		['GivenName', ['ann', 'older']],
		['GivenName || Surname', ['ann', 'older', 'doe']],
		['GivenName && #x:a', ['ann']],
		["!GivenName='Ann'", ['older', 'doe']],
		['#x:b', ['doe']],
		['GivenName || #x:b', ['ann', 'older', 'doe']],
		['Website', []],
	])('%s finds own attributes that are no copies', async (queryString, expected) => {
		expect(namesOf(await queries().iql({ query: { queryString } }))).toEqual(expected);
	});

	it('is judged without being executed', () => {
		const validate = (queryString: string) => queries().validateIql({ query: { queryString } });
		expect(validate('GivenName')).toEqual({ isValid: true });
		expect(validate('#a &&\nx!')).toMatchObject({
			isValid: false,
			error: { location: { start: { offset: 6, line: 2, column: 1 } } },
		});
		expect(() => queries().validateIql({ query: 'GivenName' })).toThrow(
			expect.objectContaining({ code: 'error.runtime.validation.invalidPropertyValue' }) as Error,
		);
	});
});

const relationshipQuery = (key: string, owner: string) => ({
	query: {
		'@type': 'RelationshipAttributeQuery',
		key,
		owner,
		attributeCreationHints: {
			title: 'T',
			valueType: 'ProprietaryString',
			confidentiality: 'public',
		},
	},
});

describe('a RelationshipAttributeQuery', () => {
	it.each<readonly [string, string, Name]>([
		['k', '', 'ours'],
		['k', people.B, 'theirs'],
	])('for the key %s of the owner "%s" finds one', async (key, owner, expected) => {
		expect(namesOf([await queries().relationship(relationshipQuery(key, owner))])).toEqual([
			expected,
		]);
	});

	it.each([
		['unknown', ''],
		['secret', people.B],
	])('for the key %s finds none', async (key, owner) => {
		await expect(queries().relationship(relationshipQuery(key, owner))).rejects.toMatchObject({
			code: 'error.runtime.recordNotFound',
		});
	});
});

describe('a ThirdPartyRelationshipAttributeQuery', () => {
	it.each<readonly [string, readonly string[], readonly Name[]]>([
		['', [people.B], ['ours', 'theirs']],
		['recipient', [people.B], ['ours']],
		['thirdParty', [people.B], ['theirs']],
		['thirdParty', [people.B, people.C], ['theirs', 'withC']],
		['thirdParty', [''], ['theirs', 'withC']],
		['', [''], ['ours', 'theirs', 'withC']],
		['recipient', [people.C], []],
	])('for the owner "%s" among %j', async (owner, thirdParty, expected) => {
		const query = {
			'@type': 'ThirdPartyRelationshipAttributeQuery',
			key: 'k',
			owner,
			thirdParty: [...thirdParty],
		};
		expect(namesOf(await queries().thirdParty({ query }))).toEqual(expected);
	});
});
