import { systemRandom } from '../../../../core/base/random';
import { StoreKey } from '../../../../core/crypto/sealing';
import { ColumnEncoder } from '../../../../core/store/collections/column-values';
import { collections } from '../../../../core/store/collections/collections';
import { openedSearch } from '../../../../core/store/collections/opened-search';
import { Sealer } from '../../../../core/store/sql/sealer';
import type { Condition, FieldCondition } from '../../../../core/store/store';
import { messageRecord, ownAddress, peerAddress } from '../../../support/records';

type One = FieldCondition<string>;

const sealer = new Sealer(new StoreKey(new Uint8Array(32)), systemRandom, true);
const encoder = new ColumnEncoder(collections.messages, sealer);

const part = (field: string, value: string): One => ({ field, op: 'contains', value });
const anyOf = (...groups: One[][]): Condition<string> => ({ op: 'anyOf', groups });
const own: One = { field: 'isOwn', op: 'eq', value: false };

const message = messageRecord('MSG1', {
	createdAt: '2030-01-02T00:00:00.000Z',
	content: { '@type': 'Mail', subject: 'Ärger in Zürich' },
	recipients: [{ address: ownAddress }, { address: peerAddress }],
});

describe('a search that needs the decrypted records', () => {
	it('is one for a part or an order of a text that is stored as a hash', () => {
		expect(openedSearch(encoder)).toBeUndefined();
		expect(openedSearch(encoder, [])).toBeUndefined();
		const equality: One[] = [
			{ field: 'subject', op: 'eq', value: 'a' },
			{ field: 'subject', op: 'ne', value: 'a' },
			{ field: 'subject', op: 'in', value: ['a'] },
			{ field: 'subject', op: 'notIn', value: ['a'] },
			{ field: 'subject', op: 'exists' },
			{ field: 'subject', op: 'missing' },
			{ field: 'createdAt', op: 'gt', value: 'a' },
		];
		for (const one of equality) {
			expect(openedSearch(encoder, [one, anyOf([one])])).toBeUndefined();
		}
		for (const op of ['contains', 'startsWith', 'endsWith', 'lt', 'lte', 'gt', 'gte'] as const) {
			expect(openedSearch(encoder, [{ field: 'subject', op, value: 'a' }])).toBeDefined();
		}
	});

	it('looks at all rows that have the text, and fit the other conditions', () => {
		const search = openedSearch(encoder, [
			own,
			part('subject', 'x'),
			anyOf([own, part('body', 'y')]),
		]);
		const exists = (field: string) => ({ field, op: 'exists' });
		expect(search?.where).toEqual([
			own,
			exists('subject'),
			{ op: 'anyOf', groups: [[own, exists('body')]] },
		]);
	});

	it('refuses a text that is too long', () => {
		expect(openedSearch(encoder, [part('subject', 'x'.repeat(5_000))])).toBeDefined();
		expect(() => openedSearch(encoder, [part('subject', 'x'.repeat(5_001))])).toThrow(
			expect.objectContaining({ code: 'error.gateway.store.queryTooLarge' }),
		);
	});

	it('asks for all conditions that need it', () => {
		const fits = (...parts: string[]) =>
			openedSearch(
				encoder,
				parts.map((value) => part('subject', value)),
			)?.fits(message);
		expect([fits('ärger', 'zür'), fits('ärger', 'bern'), fits('bern', 'zür')]).toEqual([
			true,
			false,
			false,
		]);
	});

	const never = part('subject', 'no text has this');
	it.each<readonly [One, boolean]>([
		[{ field: 'subject', op: 'startsWith', value: 'ärger' }, true],
		[{ field: 'subject', op: 'startsWith', value: 'zürich' }, false],
		[{ field: 'subject', op: 'endsWith', value: 'ZÜRICH' }, true],
		[{ field: 'subject', op: 'endsWith', value: 'Ärger' }, false],
		[{ field: 'subject', op: 'eq', value: 'Ärger in Zürich' }, true],
		[{ field: 'subject', op: 'eq', value: 'ärger in zürich' }, false],
		[{ field: 'subject', op: 'ne', value: 'Ärger in Zürich' }, false],
		[{ field: 'subject', op: 'ne', value: 'other' }, true],
		[{ field: 'subject', op: 'in', value: ['other', 'Ärger in Zürich'] }, true],
		[{ field: 'subject', op: 'in', value: ['other'] }, false],
		[{ field: 'subject', op: 'in', value: [] }, false],
		[{ field: 'subject', op: 'notIn', value: ['other'] }, true],
		[{ field: 'subject', op: 'notIn', value: ['other', 'Ärger in Zürich'] }, false],
		[{ field: 'subject', op: 'exists' }, true],
		[{ field: 'subject', op: 'missing' }, false],
		[{ field: 'body', op: 'exists' }, false],
		[{ field: 'body', op: 'missing' }, true],
		[{ field: 'recipient', op: 'eq', value: peerAddress }, true],
		[{ field: 'recipient', op: 'ne', value: peerAddress }, false],
		[{ field: 'isOwn', op: 'eq', value: false }, true],
		[{ field: 'isOwn', op: 'eq', value: 'false' }, false],
		[{ field: 'createdAt', op: 'lt', value: '2030-01-02T00:00:00.000Z' }, false],
		[{ field: 'createdAt', op: 'lt', value: '2030-01-03T00:00:00.000Z' }, true],
		[{ field: 'createdAt', op: 'lte', value: '2030-01-02T00:00:00.000Z' }, true],
		[{ field: 'createdAt', op: 'lte', value: '2030-01-01T00:00:00.000Z' }, false],
		[{ field: 'createdAt', op: 'gt', value: '2030-01-02T00:00:00.000Z' }, false],
		[{ field: 'createdAt', op: 'gt', value: '2030-01-01T00:00:00.000Z' }, true],
		[{ field: 'createdAt', op: 'gte', value: '2030-01-02T00:00:00.000Z' }, true],
		[{ field: 'createdAt', op: 'gte', value: '2030-01-03T00:00:00.000Z' }, false],
		[{ field: 'createdAt', op: 'gt', value: 7 }, false],
		[{ field: 'subject', op: 'gt', value: 'Z' }, true],
	])('beside others in a group tests a record like the databases do: %j', (one, expected) => {
		expect(openedSearch(encoder, [anyOf([never], [one])])?.fits(message)).toBe(expected);
		expect(openedSearch(encoder, [anyOf([never, one])])?.fits(message)).toBe(false);
	});
});
