import type { Condition, MessageField, Query } from '../../../core/store/store';
import type { HostOfTest } from '../store.contract';
import { fillWithMessages } from './queries';

type MessageCondition = Condition<MessageField>;

const manyConditions = (count: number): MessageCondition[] =>
	Array.from({ length: count }, () => ({ field: 'isOwn', op: 'eq', value: true }));

const manyValues = (count: number): MessageCondition[] => [
	{ field: 'subject', op: 'in', value: Array.from({ length: count }, (_, index) => String(index)) },
];

export function queryLimitPromises(host: HostOfTest): void {
	const idsOf = async (query: Query<MessageField>): Promise<string> => {
		const found = await host().store.read((tx) => tx.messages.list(query));
		return found.map(({ record }) => record.id).join('');
	};

	describe('a query', () => {
		beforeEach(() => fillWithMessages(host().store));

		it.each([
			['too many conditions', { where: manyConditions(101) }],
			[
				'too many conditions in groups',
				{ where: [{ op: 'anyOf' as const, groups: [manyConditions(50), manyConditions(50)] }] },
			],
			[
				'too long a text',
				{ where: [{ field: 'body' as const, op: 'contains' as const, value: 'x'.repeat(5_001) }] },
			],
			['too many values', { where: manyValues(10_001) }],
			['more values than a stack holds', { where: manyValues(200_000) }],
		])('is refused when there are %s', async (_name, query) => {
			await expect(idsOf(query)).rejects.toMatchObject({
				code: 'error.gateway.store.queryTooLarge',
			});
		});

		it('may be as large as allowed', async () => {
			expect(await idsOf({ where: manyValues(10_000) })).toBe('5');
			expect(await idsOf({ where: manyConditions(100) })).toBe('1');
			const longText = { field: 'body', op: 'contains', value: '%'.repeat(5_000) } as const;
			expect(await idsOf({ where: [longText] })).toBe('');
		});
	});
}
