import type { Condition, MessageField, Store, TemplateField } from '../../../core/store/store';
import { messageRecord, messageSecrets, templateRecord } from '../../support/records';
import type { HostOfTest } from '../store.contract';
import { fillWithMessages, messageConditions } from './queries';

type MessageCondition = Condition<MessageField>;

/** Holds for messages with a subject; needs opened records where contents are sealed. */
const hasSubject: MessageCondition = { field: 'subject', op: 'contains', value: '' };

const listed = async (store: Store, where: MessageCondition[]): Promise<string> => {
	const found = await store.read((tx) => tx.messages.list({ where }));
	return found.map(({ record }) => record.id).join('');
};

/** Searches for parts of texts together with other conditions. */
export function searchPromises(host: HostOfTest): void {
	describe('a search in a group', () => {
		beforeEach(() => fillWithMessages(host().store));

		it.each(messageConditions)('finds %s', async (_name, condition, expected) => {
			const groups = [[condition, hasSubject]];
			const found = await listed(host().store, [{ op: 'anyOf', groups }]);
			expect(found).toBe(expected.replace('4', ''));
		});

		it('finds what fits any of the groups', async () => {
			const groups: MessageCondition[][] = [
				[{ field: 'subject', op: 'endsWith', value: 'sure' }],
				[{ field: 'createdBy', op: 'eq', value: 'did:e:a' }],
			];
			expect(await listed(host().store, [{ op: 'anyOf', groups }])).toBe('14');
		});
	});

	describe('a search', () => {
		beforeEach(() => fillWithMessages(host().store));

		it('holds together with other searches', async () => {
			const where: MessageCondition[] = [
				{ field: 'subject', op: 'contains', value: 'a' },
				{ field: 'body', op: 'contains', value: 'strasse' },
			];
			expect(await listed(host().store, where)).toBe('2');
		});

		it('holds together with other conditions', async () => {
			const where: MessageCondition[] = [hasSubject, { field: 'isOwn', op: 'eq', value: false }];
			expect(await listed(host().store, where)).toBe('235');
		});

		it.each<readonly [string, object, string]>([
			['ends at the limit', { limit: 2 }, '12'],
			['begins at the offset', { offset: 3 }, '5'],
			['takes both', { offset: 1, limit: 2 }, '23'],
			['finds nothing for a limit of nothing', { limit: 0 }, ''],
			['may be turned round', { orderBy: { field: 'inserted', direction: 'desc' } }, '5321'],
		])('%s', async (_name, query, expected) => {
			const found = await host().store.read((tx) =>
				tx.messages.list({ where: [hasSubject], ...query }),
			);
			expect(found.map(({ record }) => record.id).join('')).toBe(expected);
		});
	});

	it('a search takes half characters for equal, like every comparison of texts', async () => {
		const { store } = host();
		const record = messageRecord('1', { content: { subject: 'half \uD800' } });
		await store.transact((tx) => tx.messages.insert(record, messageSecrets));
		expect(await listed(store, [{ field: 'subject', op: 'endsWith', value: '\uD801' }])).toBe('1');
	});

	it('a search goes through any number of records', async () => {
		const { store } = host();
		await store.transact(async (tx) => {
			for (let number = 1; number <= 300; number++) {
				const content = { subject: number % 100 === 0 ? 'hundred' : 'other' };
				await tx.messages.insert(messageRecord(`${number},`, { content }), messageSecrets);
			}
		});
		const where: MessageCondition[] = [{ field: 'subject', op: 'startsWith', value: 'HUND' }];
		expect(await listed(store, where)).toBe('100,200,300,');
		expect(await store.read((tx) => tx.messages.count({ where }))).toBe(3);
	});

	it.each<readonly [Exclude<Condition<TemplateField>['op'], 'anyOf'>, number, string]>([
		['eq', 10, '10'],
		['ne', 10, '9,100'],
		['lt', 10, '9'],
		['lte', 10, '9,10'],
		['gt', 10, '100'],
		['gte', 10, '10,100'],
	])('numbers are compared as numbers beside a search: %s %d', async (op, value, expected) => {
		const { store } = host();
		await store.transact(async (tx) => {
			for (const count of [9, 10, 100]) {
				const record = templateRecord(`${count}`, { maxNumberOfAllocations: count });
				await tx.templates.insert(record, { secretKey: 'k' });
			}
		});
		const title = { field: 'title', op: 'contains', value: 'title' } as const;
		const number = { field: 'maxNumberOfAllocations', op, value } as Condition<TemplateField>;
		const found = await store.read((tx) =>
			tx.templates.list({ where: [{ op: 'anyOf', groups: [[title, number]] }] }),
		);
		expect(found.map(({ record }) => record.id).join()).toBe(expected);
	});
}
