import type { Condition, MessageField, Query, Store } from '../../../core/store/store';
import { messageRecord, messageSecrets, templateRecord } from '../../support/records';
import type { HostOfTest } from '../store.contract';

const invalidList = { code: 'error.gateway.store.invalidList' };

type MessageCondition = Condition<MessageField>;

/** Messages 1 to 5, made so that every operator separates them. */
export async function fillWithMessages(store: Store): Promise<void> {
	const mail = (subject: string, body: string) => ({ '@type': 'Mail', subject, body });
	const records = [
		messageRecord('1', {
			isOwn: true,
			content: mail('100% sure', 'Ärger'),
			createdAt: '2030-01-01T00:00:00.000Z',
			recipients: [{ address: 'did:e:a', relationshipId: 'REL1' }, { address: 'did:e:b' }],
			attachments: ['FIL1', 'FIL2'],
		}),
		messageRecord('2', {
			content: mail('snake_case', 'STRASSE'),
			createdAt: '2030-01-02T00:00:00.000Z',
			recipients: [{ address: 'did:e:a' }],
			attachments: ['FIL2'],
			wasReadAt: '2030-02-01T00:00:00.000Z',
		}),
		messageRecord('3', {
			content: mail('back\\slash', "'; drop table messages; --"),
			createdAt: '2030-01-03T00:00:00.000Z',
			recipients: [],
		}),
		messageRecord('4', {
			content: { '@type': 'Other' },
			createdAt: '2030-01-04T00:00:00.000Z',
			createdBy: 'did:e:a',
			recipients: [{ address: 'did:e:c' }],
		}),
		messageRecord('5', {
			content: mail('2030', ''),
			createdAt: '2030-01-05T00:00:00.000Z',
			createdBy: 'did:e:b',
			recipients: [{ address: 'did:e:c' }, { address: 'did:e:c' }],
		}),
	];
	await store.transact(async (tx) => {
		for (const record of records) await tx.messages.insert(record, messageSecrets);
	});
}

export const messageConditions: ReadonlyArray<readonly [string, MessageCondition, string]> = [
	['text equal', { field: 'subject', op: 'eq', value: 'snake_case' }, '2'],
	['text equal, case matters', { field: 'subject', op: 'eq', value: 'SNAKE_CASE' }, ''],
	['text not equal, absent included', { field: 'subject', op: 'ne', value: '2030' }, '1234'],
	['text less', { field: 'createdAt', op: 'lt', value: '2030-01-02T00:00:00.000Z' }, '1'],
	[
		'text less or equal',
		{ field: 'createdAt', op: 'lte', value: '2030-01-02T00:00:00.000Z' },
		'12',
	],
	['text greater', { field: 'createdAt', op: 'gt', value: '2030-01-04' }, '45'],
	['text at least', { field: 'createdAt', op: 'gte', value: '2030-01-05T00:00:00.000Z' }, '5'],
	['one of', { field: 'subject', op: 'in', value: ['2030', 'snake_case', 'x'] }, '25'],
	['one of nothing', { field: 'subject', op: 'in', value: [] }, ''],
	['none of, absent included', { field: 'subject', op: 'notIn', value: ['2030'] }, '1234'],
	['none of nothing', { field: 'subject', op: 'notIn', value: [] }, '12345'],
	['there', { field: 'wasReadAt', op: 'exists' }, '2'],
	['not there', { field: 'subject', op: 'missing' }, '4'],
	['not there in most', { field: 'wasReadAt', op: 'missing' }, '1345'],
	['empty text is there', { field: 'body', op: 'exists' }, '1235'],
	['yes', { field: 'isOwn', op: 'eq', value: true }, '1'],
	['no', { field: 'isOwn', op: 'eq', value: false }, '2345'],
	['not yes', { field: 'isOwn', op: 'ne', value: true }, '2345'],
	['containing', { field: 'subject', op: 'contains', value: 'AKE' }, '2'],
	['starting with', { field: 'subject', op: 'startsWith', value: 'Snake' }, '2'],
	['ending with', { field: 'subject', op: 'endsWith', value: 'SURE' }, '1'],
	['not starting with its middle', { field: 'subject', op: 'startsWith', value: 'nake' }, ''],
	['letters beyond ASCII without case', { field: 'body', op: 'contains', value: 'äRGER' }, '1'],
	['a literal %', { field: 'subject', op: 'contains', value: '%' }, '1'],
	['a literal _', { field: 'subject', op: 'contains', value: '_' }, '2'],
	['a literal backslash', { field: 'subject', op: 'contains', value: '\\' }, '3'],
	['% is not a pattern', { field: 'subject', op: 'startsWith', value: '1%e' }, ''],
	['SQL is only text', { field: 'body', op: 'eq', value: "'; drop table messages; --" }, '3'],
	['containing nothing', { field: 'subject', op: 'contains', value: '' }, '1235'],
	['a number is not a text', { field: 'subject', op: 'eq', value: 2030 }, ''],
	['every text differs from a number', { field: 'subject', op: 'ne', value: 2030 }, '12345'],
	['a number has no order among texts', { field: 'subject', op: 'gt', value: 0 }, ''],
	['a text is not a yes', { field: 'isOwn', op: 'eq', value: 'true' }, ''],
	['a number is not a yes', { field: 'isOwn', op: 'eq', value: 1 }, ''],
	['mixed types, only fitting ones', { field: 'subject', op: 'in', value: [2030, '2030'] }, '5'],
	['one of several values', { field: 'recipient', op: 'eq', value: 'did:e:a' }, '12'],
	['any of several values', { field: 'recipient', op: 'in', value: ['did:e:b', 'did:e:c'] }, '145'],
	['none of several values is it', { field: 'recipient', op: 'ne', value: 'did:e:a' }, '345'],
	[
		'none of several values',
		{ field: 'recipient', op: 'notIn', value: ['did:e:a', 'did:e:c'] },
		'3',
	],
	['any value at all', { field: 'recipient', op: 'exists' }, '1245'],
	['no value at all', { field: 'recipient', op: 'missing' }, '3'],
	['creator or recipient', { field: 'participant', op: 'eq', value: 'did:e:a' }, '124'],
	[
		'one of several values that contains',
		{ field: 'recipient', op: 'contains', value: 'E:B' },
		'1',
	],
	['a value that contains', { field: 'attachment', op: 'contains', value: 'l1' }, '1'],
	['an absent value among several', { field: 'recipientRelationshipId', op: 'exists' }, '1'],
	['a number among texts', { field: 'attachment', op: 'eq', value: 1 }, ''],
	[
		'any group whose conditions all hold',
		{
			op: 'anyOf',
			groups: [
				[
					{ field: 'createdBy', op: 'eq', value: 'did:e:a' },
					{ field: 'contentType', op: 'eq', value: 'Other' },
				],
				[
					{ field: 'createdBy', op: 'eq', value: 'did:e:b' },
					{ field: 'contentType', op: 'eq', value: 'Other' },
				],
				[{ field: 'recipient', op: 'eq', value: 'did:e:b' }],
			],
		},
		'14',
	],
	[
		'a group beside groups that nothing can fit',
		{
			op: 'anyOf',
			groups: [
				[{ field: 'subject', op: 'gt', value: 0 }],
				[{ field: 'subject', op: 'in', value: [] }],
				[{ field: 'isOwn', op: 'eq', value: true }],
			],
		},
		'1',
	],
	['any of no group', { op: 'anyOf', groups: [] }, ''],
	['a group without conditions', { op: 'anyOf', groups: [[]] }, '12345'],
	[
		'a group inside a group',
		{
			op: 'anyOf',
			groups: [[{ op: 'anyOf', groups: [[{ field: 'isOwn', op: 'eq', value: true }]] }]],
		},
		'1',
	],
];

export function queryPromises(host: HostOfTest): void {
	const idsOf = async (query: Query<MessageField>): Promise<string> => {
		const found = await host().store.read((tx) => tx.messages.list(query));
		return found.map(({ record }) => record.id).join('');
	};

	describe('a condition', () => {
		beforeEach(() => fillWithMessages(host().store));

		it.each(messageConditions)('finds %s', async (_name, condition, expected) => {
			expect(await idsOf({ where: [condition] })).toBe(expected);
			const count = await host().store.read((tx) => tx.messages.count({ where: [condition] }));
			expect(count).toBe(expected.length);
		});

		it('has to hold together with all others', async () => {
			const where: MessageCondition[] = [
				{ field: 'participant', op: 'eq', value: 'did:e:a' },
				{ field: 'createdAt', op: 'gt', value: '2030-01-01T12:00:00.000Z' },
				{ field: 'contentType', op: 'eq', value: 'Mail' },
			];
			expect(await idsOf({ where })).toBe('2');
		});

		it('of the same shape takes other values the next time', async () => {
			const of = (value: string): MessageCondition => ({ field: 'subject', op: 'eq', value });
			expect(await idsOf({ where: [of('2030')] })).toBe('5');
			expect(await idsOf({ where: [of('snake_case')] })).toBe('2');
		});

		it('of the same tests in other groups is another one', async () => {
			const isOwn: MessageCondition = { field: 'isOwn', op: 'eq', value: true };
			const wasRead: MessageCondition = { field: 'wasReadAt', op: 'exists' };
			const anyOf = (...groups: MessageCondition[][]) =>
				idsOf({ where: [{ op: 'anyOf', groups }] });
			expect(await anyOf([isOwn, wasRead])).toBe('');
			expect(await anyOf([isOwn], [wasRead])).toBe('12');
			expect(await anyOf([wasRead])).toBe('2');
		});

		it('finds what fits together with groups', async () => {
			const where: MessageCondition[] = [
				{
					op: 'anyOf',
					groups: [
						[{ field: 'isOwn', op: 'eq', value: true }],
						[{ field: 'wasReadAt', op: 'exists' }],
					],
				},
				{ field: 'createdAt', op: 'gt', value: '2030-01-01T12:00:00.000Z' },
			];
			expect(await idsOf({ where })).toBe('2');
		});

		it.each(['document', 'ordinal', '__proto__', 'constructor', 'c_subject'])(
			'on the undeclared field %s is refused',
			async (field) => {
				const unknown = field as MessageField;
				for (const condition of [
					{ field: unknown, op: 'eq', value: 'x' },
					{ field: unknown, op: 'exists' },
				] as const) {
					await expect(idsOf({ where: [condition] })).rejects.toMatchObject(invalidList);
				}
			},
		);
	});

	describe('a list', () => {
		beforeEach(() => fillWithMessages(host().store));

		const since = { field: 'createdAt', op: 'gt', value: '2030-01-01T12' } as const;
		const byTime = (direction: 'asc' | 'desc') => ({ field: 'createdAt', direction }) as const;

		it.each<readonly [string, Query<MessageField>, string]>([
			['comes in order of insertion', {}, '12345'],
			['is turned round', { orderBy: { field: 'inserted', direction: 'desc' } }, '54321'],
			['follows a column', { orderBy: byTime('desc') }, '54321'],
			[
				'breaks ties by insertion',
				{ orderBy: { field: 'contentType', direction: 'asc' } },
				'12354',
			],
			['stops at the limit', { limit: 2 }, '12'],
			['is empty for a limit of nothing', { limit: 0 }, ''],
			['begins at the offset', { offset: 3 }, '45'],
			['takes both', { offset: 1, limit: 2, orderBy: byTime('desc') }, '43'],
			['takes both of what is found', { where: [since], offset: 1, limit: 2 }, '34'],
			[
				'takes both of what is found from the end',
				{ where: [since], offset: 1, limit: 2, orderBy: { field: 'inserted', direction: 'desc' } },
				'43',
			],
			['ends where there is no more', { offset: 4, limit: 10 }, '5'],
		])('%s', async (_name, query, expected) => {
			expect(await idsOf(query)).toBe(expected);
		});

		it('keeps the order when a record is changed', async () => {
			await host().store.transact((tx) => tx.messages.update(messageRecord('2')));
			expect(await idsOf({})).toBe('12345');
		});

		it('puts a record that was deleted and written again at the end', async () => {
			await host().store.transact(async (tx) => {
				await tx.messages.delete('5');
				await tx.messages.delete('2');
				await tx.messages.insert(messageRecord('2'), messageSecrets);
			});
			expect(await idsOf({})).toBe('1342');
		});

		it.each([-1, 1.5, Number.NaN])('refuses a limit of %d', async (limit) => {
			await expect(idsOf({ limit })).rejects.toMatchObject(invalidList);
		});

		it.each(['createdBy', 'subject', 'recipient', 'attachment'] as const)(
			'gives no order by %s',
			async (field) => {
				const orderBy = { field, direction: 'asc' } as const;
				await expect(idsOf({ orderBy })).rejects.toMatchObject(invalidList);
			},
		);

		it('gives its first element', async () => {
			const first = await host().store.read((tx) => tx.messages.first({ orderBy: byTime('desc') }));
			expect(first?.record.id).toBe('5');
		});
	});

	it('numbers are compared as numbers', async () => {
		const { store } = host();
		await store.transact(async (tx) => {
			for (const count of [9, 10, 100]) {
				const record = templateRecord(`RLT${count}`, { maxNumberOfAllocations: count });
				await tx.templates.insert(record, { secretKey: 'k' });
			}
		});
		const above = await store.read((tx) =>
			tx.templates.list({ where: [{ field: 'maxNumberOfAllocations', op: 'gt', value: 9 }] }),
		);
		const asText = await store.read((tx) =>
			tx.templates.count({ where: [{ field: 'maxNumberOfAllocations', op: 'eq', value: '9' }] }),
		);
		expect(above.map(({ record }) => record.id)).toEqual(['RLT10', 'RLT100']);
		expect(asText).toBe(0);
	});
}
