import {
	accessPathOf,
	type AccessPath,
} from '../../../../core/store/collections/lists/access-path';
import { collections } from '../../../../core/store/collections/collections';
import type { Condition } from '../../../../core/store/store';

type Conditions = ReadonlyArray<Condition<string>>;
type Case = readonly [string, Conditions, AccessPath];

const eq = (field: string, value: string | boolean = 'x'): Condition<string> => ({
	field,
	op: 'eq',
	value,
});
const oneOf = (field: string, ...value: string[]): Condition<string> => ({
	field,
	op: 'in',
	value,
});
const present = (field: string, op: 'exists' | 'missing'): Condition<string> => ({ field, op });
const than = (field: string, op: 'lt' | 'lte' | 'gt' | 'gte' | 'ne'): Condition<string> => ({
	field,
	op,
	value: 'x',
});
const part = (field: string): Condition<string> => ({ field, op: 'contains', value: 'x' });

describe('the access path of a list', () => {
	/** `createdBy` and `createdAt` have an index each, and recipients are side values. */
	it.each<Case>([
		['without conditions', [], 'table-scan'],
		['by one value of an index', [eq('createdBy')], 'index-order'],
		['by one value in a list', [oneOf('createdBy', 'a')], 'index-order'],
		['by several values of an index', [oneOf('createdBy', 'a', 'b')], 'rowid-subquery'],
		['by no value of an index', [oneOf('createdBy')], 'rowid-subquery'],
		['by an absent value of an index', [present('createdBy', 'missing')], 'index-order'],
		['less than a value', [than('createdAt', 'lt')], 'rowid-subquery'],
		['up to a value', [than('createdAt', 'lte')], 'rowid-subquery'],
		['greater than a value', [than('createdAt', 'gt')], 'rowid-subquery'],
		['from a value on', [than('createdAt', 'gte')], 'rowid-subquery'],
		['other than a value', [than('createdAt', 'ne')], 'table-scan'],
		['with any value of an index of all rows', [present('createdAt', 'exists')], 'table-scan'],
		['by a part of a text', [part('createdBy')], 'table-scan'],
		['by one value and a range', [eq('createdBy'), than('createdAt', 'gt')], 'rowid-subquery'],
		['by a column without index', [eq('body')], 'table-scan'],
		['by one text of an index of beginnings', [eq('contentType')], 'index-order'],
		['by several texts of it', [oneOf('contentType', 'a', 'b')], 'rowid-subquery'],
		['by a part of a text of it', [part('subject')], 'table-scan'],
		['by one of several values of a record', [eq('recipient')], 'index-order'],
		['by a part of one of several values', [part('recipient')], 'index-order'],
		['without one of several values', [than('recipient', 'ne')], 'table-scan'],
		['without several values', [present('recipient', 'missing')], 'table-scan'],
		[
			'by groups only',
			[{ op: 'anyOf', groups: [[eq('createdBy')], [eq('createdAt')]] }],
			'table-scan',
		],
		[
			'by one value and groups',
			[eq('createdBy'), { op: 'anyOf', groups: [[than('createdAt', 'gt')]] }],
			'index-order',
		],
	])('of messages %s', (_name, conditions, expected) => {
		expect(accessPathOf(collections.messages, conditions)).toBe(expected);
	});

	/** `isOwn` has indexes with `status` and with `createdAt`; the index of `peer` is sparse. */
	it.each<Case>([
		['by both columns of an index', [eq('isOwn', true), eq('status')], 'index-order'],
		[
			'by the first column and several values of the second',
			[eq('isOwn', true), oneOf('status', 'a', 'b')],
			'rowid-subquery',
		],
		['by the first column of an index', [eq('isOwn', true)], 'index-order'],
		['by the second column of an index only', [eq('status')], 'table-scan'],
		[
			'by a range of the second column only',
			[than('isOwn', 'ne'), than('createdAt', 'gt')],
			'table-scan',
		],
		[
			'by both columns of an index, one of them absent',
			[eq('isOwn', true), present('status', 'missing')],
			'index-order',
		],
		['by no value of the first column', [present('isOwn', 'missing')], 'index-order'],
		['by one value of a sparse index', [eq('peer')], 'index-order'],
		['by several values of a sparse index', [oneOf('peer', 'a', 'b')], 'rowid-subquery'],
		['by any value of a sparse index', [present('peer', 'exists')], 'rowid-subquery'],
		['by a part of a value of a sparse index', [part('peer')], 'rowid-subquery'],
		['by no value of a sparse index', [present('peer', 'missing')], 'table-scan'],
		['other than a value of a sparse index', [than('peer', 'ne')], 'table-scan'],
		[
			'outside of some values of a sparse index',
			[{ field: 'peer', op: 'notIn', value: ['a'] }],
			'table-scan',
		],
		[
			'by one value and a range of the same sparse index',
			[eq('peer'), than('peer', 'gt')],
			'index-order',
		],
	])('of requests %s', (_name, conditions, expected) => {
		expect(accessPathOf(collections.requests, conditions)).toBe(expected);
	});

	it('of a list that is not narrowed at all is the table', () => {
		expect(accessPathOf(collections.messages)).toBe('table-scan');
	});
});
