import { DateTime } from 'luxon';
import { NodeOperationError, type INodeProperties } from 'n8n-workflow';
import { relationshipLocator } from '../../nodes/Enmeshed/descriptions/locators';
import { createFields } from '../../nodes/Enmeshed/actions/relationshipTemplate/create-fields';
import { readInstant } from '../../nodes/Enmeshed/fields/instants';
import {
	checkParameters,
	labelOf,
	parameterSchema,
	parseParameters,
	plain,
} from '../../nodes/Enmeshed/fields/parse-parameters';
import { executeFunctions } from '../support/n8n/n8n-functions';

const field = (name: string, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
});

const parse = <Shape>(
	parameters: object,
	fields: INodeProperties[],
	define: Parameters<typeof parseParameters<Shape>>[2],
) =>
	parseParameters(
		{ functions: executeFunctions({ parameters: { ...parameters } }), itemIndex: 0 },
		fields,
		define,
	);

describe('reading the fields of an operation', () => {
	it('takes the value out of a resource locator', async () => {
		const relationship = {
			__rl: true,
			mode: 'list',
			value: 'RELAbcdefghijklmnopq',
			cachedResultName: 'Ada',
		};
		await expect(
			parse(
				{ relationship },
				[relationshipLocator()],
				parameterSchema((z, { locator }) => z.object({ relationship: locator })),
			),
		).resolves.toEqual({ relationship: 'RELAbcdefghijklmnopq' });
	});

	it('takes it out of lists and collections too', () => {
		const peer = { __rl: true, mode: 'address', value: 'did:e:x' };
		expect(plain({ filters: { peer }, all: [peer] })).toEqual({
			filters: { peer: 'did:e:x' },
			all: ['did:e:x'],
		});
	});

	it('names the field as the editor shows it, with the item', async () => {
		const failure = parse(
			{ relationship: '' },
			[relationshipLocator()],
			parameterSchema((z, { locator }) => z.object({ relationship: locator })),
		);
		await expect(failure).rejects.toThrow(NodeOperationError);
		await expect(failure).rejects.toMatchObject({
			message: "The field 'Relationship' is not valid",
			description: 'Choose an entry of the list, or enter an ID',
			context: { itemIndex: 0 },
		});
	});

	it('names a field inside a list of entries', () => {
		expect(labelOf(createFields, ['requestItems', 'items', 1, 'attribute'])).toBe('Attribute');
		expect(labelOf(createFields, ['options', 'maxNumberOfAllocations'])).toBe('Max Number of Uses');
	});

	it.each([
		['', []],
		['a', ['a']],
		[' a, b ,,c ', ['a', 'b', 'c']],
		[
			['x', 'y'],
			['x', 'y'],
		],
		[null, []],
	])('reads %j as a list of texts', async (value, expected) => {
		const read = await parse(
			{ list: value },
			[field('list', 'List')],
			parameterSchema((z, { textList }) => z.object({ list: textList })),
		);
		expect(read).toEqual({ list: expected });
	});

	it.each([
		['3', 3],
		[' 2.5 ', 2.5],
		[7, 7],
	])('takes %j, as expressions give it, for a number', async (value, expected) => {
		const read = await parse(
			{ days: value },
			[field('days', 'Days')],
			parameterSchema((z, { number }) => z.object({ days: number })),
		);
		expect(read).toEqual({ days: expected });
	});

	it.each(['', 'three', null, '3 days'])('refuses %j as a number', async (value) => {
		await expect(
			parse(
				{ days: value },
				[field('days', 'Days')],
				parameterSchema((z, { number }) => z.object({ days: number })),
			),
		).rejects.toThrow("The field 'Days' is not valid");
	});

	it.each([
		[DateTime.fromISO('2030-01-31T12:00:00.000Z', { zone: 'utc' }), '2030-01-31T12:00:00.000Z'],
		[new Date('2030-01-31T12:00:00.000Z'), '2030-01-31T12:00:00.000Z'],
		[4711, '4711'],
	])('takes a time and a number as text (%#)', async (value, expected) => {
		const read = await checkParameters(
			executeFunctions(),
			{ body: value },
			[field('body', 'Body')],
			parameterSchema((z, { exactText }) => z.object({ body: exactText })),
		);
		expect(read).toEqual({ body: expected });
	});

	it.each([
		['{"a":1}', { a: 1 }],
		[{ a: 1 }, { a: 1 }],
	])('reads %j as a JSON object', async (value, expected) => {
		const read = await parse(
			{ json: value },
			[field('json', 'Content')],
			parameterSchema((z, { jsonObject }) => z.object({ json: jsonObject })),
		);
		expect(read).toEqual({ json: expected });
	});

	it.each(['{"a":', '[]', '1', 'null', ''])('refuses %j as a JSON object', async (value) => {
		await expect(
			parse(
				{ json: value },
				[field('json', 'Content')],
				parameterSchema((z, { jsonObject }) => z.object({ json: jsonObject })),
			),
		).rejects.toThrow("The field 'Content' is not valid");
	});

	it('keeps the blanks of a text that people read, and refuses one of blanks only', async () => {
		const read = (body: string) =>
			parse(
				{ body },
				[field('body', 'Body')],
				parameterSchema((z, { exactText }) => z.object({ body: exactText })),
			);
		await expect(read('  Hello\n')).resolves.toEqual({ body: '  Hello\n' });
		await expect(read(' \n')).rejects.toThrow("The field 'Body' is not valid");
	});
});

describe('reading a date', () => {
	it.each([
		['2030-06-01T12:00:00', 'Europe/Berlin', '2030-06-01T10:00:00.000Z'],
		['2030-01-01T12:00:00', 'Europe/Berlin', '2030-01-01T11:00:00.000Z'],
		['2030-01-01 12:00:00', 'America/New_York', '2030-01-01T17:00:00.000Z'],
		['2030-01-01', 'Asia/Tokyo', '2029-12-31T15:00:00.000Z'],
		['2030-01-01T12:00:00Z', 'Europe/Berlin', '2030-01-01T12:00:00.000Z'],
		['2030-01-01T12:00:00+03:00', 'Europe/Berlin', '2030-01-01T09:00:00.000Z'],
	])('takes %s in %s for %s', async (text, zone, expected) => {
		await expect(readInstant(text, zone)).resolves.toBe(expected);
	});

	it('takes dates and the date objects of expressions as the instants they are', async () => {
		const instant = '2030-01-01T12:00:00.000Z';
		await expect(readInstant(new Date(instant), 'Asia/Tokyo')).resolves.toBe(instant);
		const hostDate = { toISO: () => '2030-01-01T13:00:00.000+01:00' };
		await expect(readInstant(hostDate, 'Asia/Tokyo')).resolves.toBe(instant);
	});

	it.each(['', 'tomorrow', '2030-13-01', 5, null, undefined, {}, new Date(Number.NaN)])(
		'knows that %p is not a date',
		async (value) => {
			await expect(readInstant(value, 'UTC')).resolves.toBeUndefined();
		},
	);
});
