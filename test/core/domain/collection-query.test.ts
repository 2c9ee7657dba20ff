import { readQuery, type QueryFields } from '../../../core/domain/query/collection-query';
import { fileQueryFields } from '../../../core/domain/file/file-query';
import { messageQueryFields } from '../../../core/domain/message/message-query';
import { columnConditions } from '../../../core/domain/query/query-terms';
import { relationshipQueryFields } from '../../../core/domain/relationship/relationship-service';
import { templateQueryFields } from '../../../core/domain/template/template-query';
import { tokenQueryFields } from '../../../core/domain/token/token-query';
import type { AnyCollection } from '../../../core/store/collections/collection-declaration';
import { collections, isValues } from '../../../core/store/collections/collections';
import type { FileField, MessageField } from '../../../core/store/store';
import { fileRecord, messageRecord, messageSecrets } from '../../support/records';
import { itReadsItsVectors } from '../../support/reads-its-vectors';
import { openTestStore, type TestStore } from '../../support/store';
import { readVectors } from '../../support/vectors';

/* docs/protocol/transport.md 17 */

type Scalar = string | number | boolean;
type Official = Scalar | null | Readonly<Record<string, Scalar | readonly Scalar[]>>;
interface Entry {
	readonly input: string | readonly string[];
	readonly query: Official;
}

const { single, arrays } = readVectors<{ single: Entry[]; arrays: Entry[] }>(
	'transport-queries.json',
);
const entries = [...single, ...arrays];

/** What an official query means, as MongoDB evaluates it on one field (transport 17.1). */
function fits(value: Scalar | undefined, query: Official): boolean {
	if (query === null) return true;
	if (typeof query !== 'object') return value === query;
	return Object.entries(query).every(([operator, wanted]) => {
		const isOfOneType = typeof value === typeof wanted && value !== undefined;
		const list = Array.isArray(wanted) ? (wanted as readonly unknown[]) : [];
		switch (operator) {
			case '$exists':
				return (value !== undefined) === wanted;
			case '$ne':
				return value !== wanted;
			case '$gt':
				return isOfOneType && value > wanted;
			case '$gte':
				return isOfOneType && value >= wanted;
			case '$lt':
				return isOfOneType && value < wanted;
			case '$lte':
				return isOfOneType && value <= wanted;
			case '$containsAny':
				return list.includes(value);
			case '$containsNone':
				return !list.includes(value);
			case '$regex':
				return typeof value === 'string' && new RegExp(String(wanted), 'i').test(value);
			case '$options':
				return wanted === 'i';
			default:
				throw new Error(`Unknown operator ${operator}`);
		}
	});
}

/** Whether a field exists is not a value of it. */
function scalarsOf(query: Official): unknown[] {
	if (typeof query !== 'object' || query === null) return [query];
	return Object.entries(query).flatMap(([operator, value]) =>
		operator === '$exists' ? [] : value,
	);
}

describe('a value of a query', () => {
	it.each(entries)('$input asks for what it asks the official runtime for', ({ input, query }) => {
		const isTextSearch = typeof query === 'object' && query !== null && '$regex' in query;
		const conditions = columnConditions('any', isTextSearch ? 'text' : 'scalar', input);
		expect(conditions).toEqual(ours(query));
	});

	/** An official query in the words of our store. */
	function ours(query: Official): unknown[] {
		if (query === null) return [];
		if (typeof query !== 'object') return [{ field: 'any', op: 'in', value: [query] }];
		return Object.entries(query).flatMap(([operator, value]) => {
			if (operator === '$options') return [];
			if (operator === '$exists') return [{ field: 'any', op: value ? 'exists' : 'missing' }];
			if (operator === '$regex') return [textSearch(String(value))];
			const op = {
				$ne: 'notIn',
				$containsAny: 'in',
				$containsNone: 'notIn',
				...{ $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' },
			}[operator];
			return [{ field: 'any', op, value: operator === '$ne' ? [value] : value }];
		});
	}

	function textSearch(pattern: string): unknown {
		const op = pattern.startsWith('^')
			? 'startsWith'
			: pattern.endsWith('$')
				? 'endsWith'
				: 'contains';
		return { field: 'any', op, value: pattern.replace(/^\^|\$$/g, '') };
	}

	it.each([
		['!=bar', '!bar'],
		['^=bar', '^bar'],
		['$=bar', '$bar'],
		['~=bar', '~bar'],
		['!=', '!'],
	])('%s is %s: an = after the operator is swallowed', (long, short) => {
		expect(columnConditions('any', 'text', long)).toEqual(columnConditions('any', 'text', short));
	});

	it.each<[string, Scalar]>([
		['.5', '.5'],
		['5 apples', '5 apples'],
		['+5', 5],
		['1e999', '1e999'],
		['Infinity', 'Infinity'],
		['tRuE', true],
	])('%s is read as %p', (given, value) => {
		expect(columnConditions('any', 'scalar', given)).toEqual([
			{ field: 'any', op: 'in', value: [value] },
		]);
	});
});

describe('on real records', () => {
	let place: TestStore;
	const titles = [
		'bar',
		'Foobar',
		'BARfoo',
		'a',
		'b',
		'x',
		'NaN',
		'2024-01-01',
		'',
		undefined,
	].concat(['007', '7', '10', '5', 'true', 'TRUE', '(a+)+$', 'a.b', '2025-01-01T00:00:00.000Z']);
	const sizes = [0, 1, 2, 5, 7, 9, 10, 11, 1.5, -3, 1000, 2024];
	const files = [
		...titles.map((title, index) =>
			fileRecord(`FILtitle${index}`, title === undefined ? {} : { title }),
		),
		...sizes.map((filesize) => fileRecord(`FILsize${filesize}`, { filesize, isOwn: false })),
		fileRecord('FILlocked', { ownershipIsLocked: true, tags: ['!a', 'b'] }),
		fileRecord('FILtagged', { tags: ['a', 'c'], filesize: 5 }),
	];

	beforeAll(async () => {
		place = await openTestStore();
		await place.store.transact(async (tx) => {
			for (const record of files) {
				await tx.files.insert(record, { secretKey: 'k', contentKey: 'k' });
			}
		});
	});

	afterAll(() => place.dispose());

	async function filesOf(query: unknown): Promise<string[]> {
		const { where } = readQuery<FileField, unknown>(query, fileQueryFields);
		const found = await place.store.read((tx) => tx.files.list({ where }));
		return found.map(({ record }) => record.id);
	}

	const idsOf = (isWanted: (file: (typeof files)[number]) => boolean): string[] =>
		files.filter(isWanted).map(({ id }) => id);

	it.each(entries)('numbers are found by $input as MongoDB finds them', async (entry) => {
		expect(await filesOf({ filesize: entry.input })).toEqual(
			idsOf(({ filesize }) => fits(filesize, entry.query)),
		);
	});

	it.each(entries)('truth values are found by $input as MongoDB finds them', async (entry) => {
		expect(await filesOf({ isOwn: entry.input })).toEqual(
			idsOf(({ isOwn }) => fits(isOwn, entry.query)),
		);
	});

	/** The others are found by what was written (ours), see below. */
	const ofText = entries.filter(({ query }) =>
		scalarsOf(query).every((value) => typeof value === 'string'),
	);

	it.each(ofText)('texts are found by $input as MongoDB finds them', async (entry) => {
		expect(await filesOf({ title: entry.input })).toEqual(
			idsOf(({ title }) => fits(title, entry.query)),
		);
	});

	it.each<[string | string[], string[]]>([
		['007', ['007']],
		['7', ['7']],
		['true', ['true']],
		[
			['10', 'true'],
			['10', 'true'],
		],
		['^00', ['007']],
		[
			['>2024', '<2026'],
			['2024-01-01', '2025-01-01T00:00:00.000Z'],
		],
	])('texts are found by %p as it is written (ours)', async (title, expected) => {
		expect(await filesOf({ title })).toEqual(
			idsOf((file) => file.title !== undefined && expected.includes(file.title)),
		);
	});

	it.each([
		['~(a+)+$', '(a+)+$'],
		['^a.', 'a.b'],
		['$+$', '(a+)+$'],
		['~A.B', 'a.b'],
	])('%s is looked for as it is, and is not a pattern (ours)', async (title, expected) => {
		expect(await filesOf({ title })).toEqual(idsOf((file) => file.title === expected));
	});

	it.each<[string | string[], string[]]>([
		['a', ['FILtagged']],
		['!a', ['FILlocked']],
		[
			['b', 'c'],
			['FILlocked', 'FILtagged'],
		],
	])('tags are found by %p literally', async (tags, expected) => {
		expect(await filesOf({ tags })).toEqual(expected);
	});

	it('conditions on several fields have to hold together; an empty list asks for nothing', async () => {
		expect(await filesOf({ filesize: ['>4', '<6'], tags: 'a', title: [] })).toEqual(['FILtagged']);
		expect(await filesOf({ ownershipIsLocked: 'true' })).toEqual(['FILlocked']);
		expect(await filesOf({})).toHaveLength(files.length);
	});

	describe('messages', () => {
		const [me, ada, bob] = ['did:e:me', 'did:e:ada', 'did:e:bob'];
		const messages = [
			messageRecord('toAda', {
				createdBy: me,
				recipients: [{ address: ada }],
				attachments: ['F1'],
			}),
			messageRecord('toBoth', { createdBy: me, recipients: [{ address: ada }, { address: bob }] }),
			messageRecord('ofAda', { createdBy: ada, recipients: [{ address: me }] }),
			messageRecord('ofBob', {
				createdBy: bob,
				recipients: [{ address: me }],
				attachments: ['+', 'F2'],
			}),
		];

		beforeAll(async () => {
			await place.store.transact(async (tx) => {
				for (const record of messages) await tx.messages.insert(record, messageSecrets);
			});
		});

		async function messagesOf(query: unknown): Promise<string> {
			const { where } = readQuery<MessageField, unknown>(query, messageQueryFields);
			const found = await place.store.read((tx) => tx.messages.list({ where }));
			return found.map(({ record }) => record.id).join(' ');
		}

		it.each<[object, string]>([
			[{ participant: ada }, 'toAda toBoth ofAda'],
			[{ participant: [ada, bob] }, 'toAda toBoth ofAda ofBob'],
			// Operators are understood in lists only, and then each side is asked by itself.
			[{ participant: `!${ada}` }, ''],
			[{ participant: [`!${ada}`] }, 'toAda toBoth ofAda ofBob'],
			[{ participant: [`!${me}`, `!${bob}`] }, 'toAda ofAda'],
			[{ participant: ['^did:e:a'] }, 'toAda toBoth ofAda'],
			[{ participant: [bob, `!${ada}`] }, 'ofBob'],
			[{ participant: [] }, 'toAda toBoth ofAda ofBob'],
			[{ attachments: '+' }, 'toAda ofBob'],
			[{ attachments: ['+'] }, 'ofBob'],
			[{ attachments: ['F1', 'F2'] }, 'toAda ofBob'],
			[{ attachments: '!F1' }, ''],
			[{ 'recipients.address': [ada, `!${bob}`] }, 'toAda'],
			[{ 'content.@type': 'Mail', createdBy: '!did:e:me' }, 'ofAda ofBob'],
			[{ 'content.subject': '~SUBJECT of to' }, 'toAda toBoth'],
			[{ wasReadAt: '' }, ''],
			[{ wasReadAt: '!', isOwn: 'false', 'content.body': 'body' }, 'toAda toBoth ofAda ofBob'],
		])('%j finds %s', async (query, expected) => {
			expect(await messagesOf(query)).toBe(expected);
		});
	});
});

describe('a query', () => {
	const all = {
		files: fileQueryFields,
		messages: messageQueryFields,
		relationships: relationshipQueryFields,
		templates: templateQueryFields,
		tokens: tokenQueryFields,
	} as Readonly<Record<string, QueryFields<string>>>;

	const secret = 'a-secret-value';

	it.each<[string, unknown]>([
		['files', { owner: secret }],
		['files', { title: 1 }],
		['files', { title: null }],
		['files', { title: ['x', 1] }],
		['files', { title: { $ne: secret } }],
		['files', { ownershipIsLocked: ['true'] }],
		['files', JSON.parse('{"__proto__":"x"}')],
		['files', { constructor: secret }],
		['files', [secret]],
		['files', null],
		['files', secret],
		['messages', { isOwn: ['true'] }],
		['messages', { content: secret }],
		['relationships', { createdAt: secret }],
		['templates', { passwordProtection: secret }],
		['templates', { 'passwordProtection.passwordIsPin': 'false' }],
		['tokens', { maxNumberOfAllocations: '1' }],
		['tokens', { 'passwordProtection.salt': secret }],
	])('of %s is refused: %j', (list, query) => {
		const read = (): unknown => readQuery(query, all[list] ?? {});
		expect(read).toThrow(
			expect.objectContaining({ code: 'error.runtime.validation.invalidPropertyValue' }) as Error,
		);
		expect(read).not.toThrow(secret);
	});

	it('names a field of any length in few words', () => {
		expect(() => readQuery({ ['x'.repeat(10_000)]: 'y' }, fileQueryFields)).toThrow(
			/^The query 'x{100}' is not valid/,
		);
	});

	it.each(Object.entries(all))('of %s asks each column for what it holds', (list, fields) => {
		const { columns } = (collections as unknown as Record<string, AnyCollection>)[list] ?? {};
		for (const [name, field] of Object.entries(fields)) {
			if (name.startsWith('passwordProtection')) continue;
			const given = name === 'content.bodyFormat' ? 'Markdown' : '5';
			const [condition] = field(given, name) as unknown as Array<{
				field: string;
				value: [unknown];
			}>;
			const column = columns?.[condition?.field ?? ''];
			if (column === undefined) throw new Error(`${list} have no column for '${name}'`);
			const isText = isValues(column) || column.type === 'text';
			expect([name, typeof condition?.value[0]]).toEqual([name, isText ? 'string' : 'number']);
		}
	});
});

itReadsItsVectors(__filename);
