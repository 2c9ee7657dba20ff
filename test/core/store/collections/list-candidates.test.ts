import { collections } from '../../../../core/store/collections/collections';
import {
	candidatesOf,
	type Candidate,
} from '../../../../core/store/collections/lists/list-candidates';
import type { Condition, FieldCondition } from '../../../../core/store/store';

type One = FieldCondition<string>;
type Case = readonly [name: string, conditions: ReadonlyArray<Condition<string>>, ways: object[]];

const eq = (field: string, value: string | boolean = 'x'): One => ({ field, op: 'eq', value });
const among = (field: string, count: number): One => ({
	field,
	op: 'in',
	value: Array.from({ length: count }, (_, index) => `v${index}`),
});
const than = (field: string, op: 'lt' | 'lte' | 'gt' | 'gte' | 'ne', value = 'x'): One => ({
	field,
	op,
	value,
});
const present = (field: string, op: 'exists' | 'missing'): One => ({ field, op });
const contains = (field: string): One => ({ field, op: 'contains', value: 'x' });

/** A way whose rows are in order, value by value if `each` is given. */
const ordered = (conditions: readonly One[], each?: One): Candidate => ({
	conditions,
	isOrdered: true,
	isSideTable: false,
	...(each === undefined ? {} : { each }),
});
const unordered = (...conditions: readonly One[]): Candidate => ({
	conditions,
	isOrdered: false,
	isSideTable: false,
});
const inSideTable = (one: One): Candidate => ({
	conditions: [one],
	isOrdered: true,
	each: one,
	isSideTable: true,
});

const own = eq('isOwn', true);
const few = among('createdBy', 16);
const after = than('createdAt', 'gt');
const before = than('createdAt', 'lte', 'z');
const unread = present('wasReadAt', 'missing');
const twoStates = among('status', 2);

describe('the ways to find the rows of a list', () => {
	it.each<Case>([
		['without conditions there is none', [], []],
		['one value', [eq('createdBy')], [ordered([eq('createdBy')])]],
		['one value in a list', [among('createdBy', 1)], [ordered([among('createdBy', 1)])]],
		['several values, one by one', [few], [ordered([few], few)]],
		['many values at once', [among('createdBy', 17)], [unordered(among('createdBy', 17))]],
		['a range', [after], [unordered(after)]],
		['a range without its other conditions', [after, contains('createdAt')], [unordered(after)]],
		['a range from a value on', [than('createdAt', 'gte')], [unordered(than('createdAt', 'gte'))]],
		['a range below a value', [than('createdAt', 'lt')], [unordered(than('createdAt', 'lt'))]],
		[
			'one of several values, and a value of an index',
			[eq('recipient'), eq('createdBy')],
			[ordered([eq('createdBy')]), inSideTable(eq('recipient'))],
		],
		['a range with two ends', [after, before], [unordered(after, before)]],
		['a range from its other end', [before, after], [unordered(before, after)]],
		[
			'the first of two values of one field',
			[eq('createdBy', 'a'), eq('createdBy', 'b')],
			[ordered([eq('createdBy', 'a')])],
		],
		['not another value', [than('createdBy', 'ne')], []],
		['not any value of an index of all rows', [present('createdBy', 'exists')], []],
		['not a part of a text', [contains('createdBy')], []],
		['not a field without index', [eq('body')], []],
		['not an unknown field', [eq('unknown')], []],
		['not a group', [{ op: 'anyOf', groups: [[eq('createdBy')]] }], []],
		[
			'a condition beside a group',
			[{ op: 'anyOf', groups: [[eq('createdAt')]] }, eq('createdBy')],
			[ordered([eq('createdBy')])],
		],
		['one text of an index of beginnings', [eq('subject')], [ordered([eq('subject')])]],
		[
			'several texts of it, one by one',
			[among('subject', 2)],
			[ordered([among('subject', 2)], among('subject', 2))],
		],
		['not many texts of it', [among('subject', 17)], []],
		['not a range of it', [than('subject', 'gt')], []],
		['one of several values of a record', [eq('recipient')], [inSideTable(eq('recipient'))]],
		['some of them', [among('recipient', 16)], [inSideTable(among('recipient', 16))]],
		['not many of them', [among('recipient', 17)], []],
		['not a part of one of them', [contains('recipient')], []],
	])('of messages: %s', (_name, conditions, ways) => {
		expect(candidatesOf(collections.messages, conditions)).toEqual(ways);
	});

	it.each<Case>([
		['the first column', [own], [ordered([own])]],
		['both columns', [own, unread], [ordered([own, unread])]],
		['in any order of the conditions', [unread, own], [ordered([own, unread])]],
		['its second column alone does not help', [unread], []],
		[
			'a range after a value, and the order of the value alone',
			[own, after],
			[ordered([own]), unordered(own, after)],
		],
		[
			'a range after a value with both ends',
			[own, before, after],
			[ordered([own]), unordered(own, before, after)],
		],
	])('of messages with an index of two columns: %s', (_name, conditions, ways) => {
		const found = candidatesOf(collections.messages, conditions);
		expect(found).toHaveLength(ways.length);
		expect(found).toEqual(expect.arrayContaining(ways));
	});

	it.each<Case>([
		['both columns', [own, eq('status')], [ordered([own, eq('status')])]],
		[
			'several values of the last column, one by one',
			[own, twoStates],
			[ordered([own, twoStates], twoStates)],
		],
		[
			'several values of a column before the last',
			[among('isOwn', 2), eq('status')],
			[ordered([among('isOwn', 2)], among('isOwn', 2))],
		],
		['one value of a sparse index', [eq('peer')], [ordered([eq('peer')])]],
		['some values of it', [among('peer', 2)], [ordered([among('peer', 2)], among('peer', 2))]],
		['many values of it', [among('peer', 17)], [unordered(among('peer', 17))]],
		['any value of it', [present('peer', 'exists')], [unordered(present('peer', 'exists'))]],
		['a range of it', [than('peer', 'lt')], [unordered(than('peer', 'lt'))]],
		['not the rows without a value of it', [present('peer', 'missing')], []],
		['not the rows with another value of it', [than('peer', 'ne')], []],
		['not a part of a value of it', [contains('peer')], []],
		['two indexes', [eq('peer'), own], [ordered([eq('peer')]), ordered([own])]],
	])('of requests: %s', (_name, conditions, ways) => {
		const found = candidatesOf(collections.requests, conditions);
		expect(found).toHaveLength(ways.length);
		expect(found).toEqual(expect.arrayContaining(ways));
	});

	const type = eq('valueType');
	const owner = eq('owner');
	const peer = eq('peer');
	it.each<Case>([
		[
			'many values of the first column, by one of the indexes that begin with it',
			[among('valueType', 17)],
			[unordered(among('valueType', 17))],
		],
		['all columns', [type, owner, peer], [ordered([type, owner, peer])]],
		[
			'the first two, which give no order',
			[type, owner],
			[ordered([type]), unordered(type, owner)],
		],
		['not those after a gap', [type, peer], [ordered([type]), ordered([peer])]],
		[
			'a list in the middle ends it',
			[type, among('owner', 2), peer],
			[ordered([type]), ordered([peer]), unordered(type, among('owner', 2))],
		],
	])('of attributes with an index of three columns: %s', (_name, conditions, ways) => {
		const found = candidatesOf(collections.attributes, conditions);
		expect(found).toHaveLength(ways.length);
		expect(found).toEqual(expect.arrayContaining(ways));
	});
});
