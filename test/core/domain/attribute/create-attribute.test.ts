import { codeOf } from '../../../../core/base/errors';
import { checkValueStructure } from '../../../../core/domain/attribute/attribute-rules';
import type { JsonObject } from '../../../../core/model/json';
import { contentVectors, expandText } from '../../model/content/content-vectors';
import {
	attributeId,
	fill,
	givenName,
	now,
	openConsumption,
	people,
	stepsOf,
	storeAttribute,
	type Consumption,
} from '../request/consumption-fixtures';
import { failingRows } from '../../../support/failing-rows';
import { itReadsItsVectors } from '../../../support/reads-its-vectors';

const invalid = 'error.runtime.validation.invalidPropertyValue';
const duplicate = 'error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute';

/** Operations of the recorded scenario that a later version brings. */
const laterOperations = [
	'attributes.canCreateRepositoryAttribute',
	'attributes.markAttributeAsViewed',
	'attributes.changeDefaultRepositoryAttribute',
];
const scenario = stepsOf('repository attribute: create, trim, duplicates, validation');

let consumption: Consumption;
beforeEach(async () => {
	consumption = await openConsumption();
});
afterEach(async () => {
	await consumption.dispose();
});

const create = async (value: object, more = {}) =>
	await consumption.attributes.create({ content: { value, ...more } });

describe('creating an attribute', () => {
	it('gives the recorded results, one step after the other', async () => {
		const names: Record<string, string> = {};
		for (const [index, step] of scenario.entries()) {
			if (laterOperations.includes(step.op ?? '')) continue;
			const input = fill(step.input, names);
			const run = async () => {
				if (step.op === 'attributes.getAttribute') {
					return await consumption.attributes.get(String(input?.['id']));
				}
				expect(step.op).toBe('attributes.createRepositoryAttribute');
				return await consumption.attributes.create(input);
			};
			const outcome = await run().catch((error: unknown) => ({ code: codeOf(error) }));
			if ('id' in outcome) names['ATT1'] = outcome.id;
			const { owner: _owner, ...shown } = outcome as Record<string, unknown>;
			const expected = step.error ?? fill(step.result, { ...names, now });
			expect([index, shown]).toEqual([index, expected]);
		}
	});

	it.each([
		['no content', {}, invalid],
		['nothing', undefined, invalid],
		['a type of its own', { content: { '@type': 'IdentityAttribute', value: {} } }, invalid],
		[
			'an owner',
			{ content: { owner: people.A, value: { '@type': 'Surname', value: 'x' } } },
			invalid,
		],
		['a value without type', { content: { value: { value: 'x' } } }, invalid],
		['a number as text', { content: { value: { '@type': 'Surname', value: 5 } } }, invalid],
		[
			'an unknown member',
			{ content: { value: { '@type': 'Surname', value: 'x' } }, foo: 1 },
			invalid,
		],
		[
			'tags that are none',
			{ content: { value: { '@type': 'Surname', value: 'x' }, tags: 'x' } },
			invalid,
		],
		[
			'a type from the prototype',
			{ content: { value: { '@type': 'constructor', value: 'x' } } },
			invalid,
		],
		[
			'a type of relationship attribute',
			{ content: { value: { '@type': 'Consent', consent: 'x' } } },
			invalid,
		],
		[
			'a text that is too long before it is trimmed',
			{ content: { value: { '@type': 'DisplayName', value: `${'a'.repeat(100)} ` } } },
			'error.runtime.requestDeserialization',
		],
		[
			'an e-mail address with a space before it',
			{ content: { value: { '@type': 'EMailAddress', value: ' a@b.de' } } },
			'error.runtime.requestDeserialization',
		],
		[
			'too many tags',
			{
				content: {
					value: { '@type': 'Surname', value: 'x' },
					tags: Array.from({ length: 21 }, (_tag, index) => `x:${index}`),
				},
			},
			'error.runtime.requestDeserialization',
		],
	])('is refused with %s', async (_what, input, code) => {
		await expect(consumption.attributes.create(input)).rejects.toMatchObject({ code });
	});

	it('finds a duplicate before it looks at the format', async () => {
		await create({ '@type': 'EMailAddress', value: 'a@b.de' });
		await expect(create({ '@type': 'EMailAddress', value: ' a@b.de' })).rejects.toMatchObject({
			code: duplicate,
		});
	});

	it('counts neither tags, validity nor envelope members when it looks for duplicates', async () => {
		await create({ '@type': 'Surname', value: 'Doe' }, { tags: ['x:a'] });
		const again = { '@type': 'Surname', '@version': '1', '@context': 'c', value: 'Doe' };
		const more = { tags: ['x:b'], validFrom: '2030-01-01' };
		await expect(create(again, more)).rejects.toMatchObject({ code: duplicate });
	});

	it('compares the whole of a long value, of which an index has the beginning only', async () => {
		const xmlOf = (end: string): JsonObject => ({
			'@type': 'SchematizedXML',
			value: `<a>${'x'.repeat(400)}${end}</a>`,
		});
		await create(xmlOf('1'));
		await create(xmlOf('2'));
		await expect(create(xmlOf('1'))).rejects.toMatchObject({ code: duplicate });
	});

	it('allows the same text in another type of attribute', async () => {
		await create({ '@type': 'Surname', value: 'Sam' });
		await create({ '@type': 'GivenName', value: 'Sam' });
		expect(await consumption.attributes.list()).toHaveLength(2);
	});

	it("allows a value that only a peer's attribute, a copy or an old version has", async () => {
		const shareInfo = { peer: people.B, requestReference: 'REQ' };
		const peers = givenName('Max', people.B);
		await storeAttribute(consumption, { id: attributeId('1'), content: peers, shareInfo });
		const copy = { ...shareInfo, sourceAttribute: attributeId('3') };
		await storeAttribute(consumption, {
			id: attributeId('2'),
			content: givenName('Max'),
			shareInfo: copy,
		});
		await storeAttribute(consumption, {
			id: attributeId('3'),
			content: givenName('Max'),
			succeededBy: attributeId('4'),
		});
		expect((await create({ '@type': 'GivenName', value: 'Max' })).content).toEqual(
			givenName('Max'),
		);
	});

	it('creates one of two equal attributes that are created at once', async () => {
		const value = { '@type': 'GivenName', value: 'Max' };
		const outcomes = await Promise.allSettled([create(value), create(value)]);
		expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
		expect(await consumption.attributes.list()).toHaveLength(1);
	});

	it('writes dates in one form', async () => {
		const created = await create(
			{ '@type': 'GivenName', value: 'Max' },
			{ validFrom: '2030-01-01T01:00:00+01:00' },
		);
		expect(created.content['validFrom']).toBe('2030-01-01T00:00:00.000Z');
	});
});

it('the structure of a value is judged as recorded', () => {
	const entries = contentVectors.identityAttributeValueSchema;
	const rows = entries.map((entry) => [entry.id, entry] as const);
	const failing = failingRows(rows, ({ value, expected }) => {
		let code: string | undefined;
		try {
			checkValueStructure(expandText(value) as JsonObject);
		} catch (error) {
			code = codeOf(error);
		}
		expect(code === undefined ? 'accepted' : 'rejected').toBe(expected.outcome);
		expect(code).toBe(expected.code);
	});
	expect(failing).toEqual([]);
});

itReadsItsVectors(__filename);
