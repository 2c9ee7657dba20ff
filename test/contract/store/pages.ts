import { ownText } from '../../../core/model/json';
import type { MessageRecord } from '../../../core/model/record/message';
import type { Condition, MessageField, Query, Store } from '../../../core/store/store';
import { messageRecord, messageSecrets, ownAddress, peerAddress } from '../../support/records';
import type { HostOfTest } from '../store.contract';

/** more rows than are sorted without looking for a better way */
const count = 1_300;

const timeOf = (number: number): string =>
	new Date(Date.UTC(2030, 0, 1) + number * 60_000).toISOString();

const longSubject = 'x'.repeat(300);

function messageAt(number: number): MessageRecord {
	const isOwn = number % 7 !== 0;
	const subject = number % 11 === 0 ? longSubject : `${longSubject}!`;
	return messageRecord(`MSG${number}`, {
		isOwn,
		createdBy: isOwn ? ownAddress : peerAddress,
		createdAt: timeOf(number),
		content: { '@type': number % 5 === 0 ? 'Mail' : 'Other', subject },
		recipients: [{ address: isOwn ? peerAddress : ownAddress }],
		...(number % 3 === 0 ? { wasReadAt: timeOf(number) } : {}),
	});
}

type Where = ReadonlyArray<Condition<MessageField>>;

const isOwn = (value: boolean) => ({ field: 'isOwn', op: 'eq', value }) as const;
const isMail = { field: 'contentType', op: 'eq', value: 'Mail' } as const;
const ofPeer = { field: 'participant', op: 'eq', value: peerAddress } as const;
const since = (number: number) =>
	({ field: 'createdAt', op: 'gte', value: timeOf(number) }) as const;
const before = (number: number) =>
	({ field: 'createdAt', op: 'lt', value: timeOf(number) }) as const;

/** Conditions, and the same test of a record. */
const lists: ReadonlyArray<readonly [string, Where, (message: MessageRecord) => boolean]> = [
	['all', [], () => true],
	['one value', [isOwn(false)], (m) => !m.isOwn],
	[
		'an absent value',
		[isOwn(false), { field: 'wasReadAt', op: 'missing' }],
		(m) => !m.isOwn && m.wasReadAt === undefined,
	],
	[
		'two values',
		[{ field: 'contentType', op: 'in', value: ['Mail', 'Other', 'Mail'] }],
		() => true,
	],
	[
		'a long text',
		[{ field: 'subject', op: 'eq', value: longSubject }],
		(m) => ownText(m.content, 'subject') === longSubject,
	],
	['a value of several', [ofPeer], () => true],
	[
		'values of several',
		[{ field: 'participant', op: 'in', value: [peerAddress, ownAddress] }],
		() => true,
	],
	['a value of several and another', [ofPeer, isMail], (m) => m.content['@type'] === 'Mail'],
	['two indexes', [isOwn(true), isMail], (m) => m.isOwn && m.content['@type'] === 'Mail'],
	['a range at the near end', [since(10)], (m) => m.createdAt >= timeOf(10)],
	['a small range', [since(count - 20)], (m) => m.createdAt >= timeOf(count - 20)],
	['a range at the far end', [before(count - 10)], (m) => m.createdAt < timeOf(count - 10)],
	['a range and a value', [before(900), isOwn(true)], (m) => m.isOwn && m.createdAt < timeOf(900)],
	[
		'a value that no record has',
		[isOwn(true), { field: 'contentType', op: 'eq', value: 'None' }],
		() => false,
	],
	['no value', [{ field: 'contentType', op: 'in', value: [] }, isOwn(true)], () => false],
	[
		'groups',
		[isOwn(true), { op: 'anyOf', groups: [[isMail], [since(1_200)]] }],
		(m) => m.isOwn && (m.content['@type'] === 'Mail' || m.createdAt >= timeOf(1_200)),
	],
];

async function ids(store: Store, query: Query<MessageField>): Promise<string[]> {
	const entries = await store.read((tx) => tx.messages.list(query));
	return entries.map(({ record }) => record.id);
}

/** Reads page after page, each after the last record of the one before. */
async function allPages(store: Store, query: Query<MessageField>): Promise<string[]> {
	const found: string[] = [];
	for (;;) {
		const last = found.at(-1);
		const page = await ids(store, { ...query, ...(last === undefined ? {} : { after: last }) });
		found.push(...page);
		if (page.length < (query.limit ?? 0)) return found;
	}
}

/** Pages of lists, which are read in other ways than whole lists. */
export function pagePromises(host: HostOfTest): void {
	describe('pages', () => {
		const messages = Array.from({ length: count }, (_, number) => messageAt(number));

		it('contain what the whole list contains, whatever it is filtered by', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				for (const message of messages) await tx.messages.insert(message, messageSecrets);
			});
			for (const [name, where, fits] of lists) {
				const fitting = messages.filter(fits).map(({ id }) => id);
				for (const direction of ['asc', 'desc'] as const) {
					const expected = direction === 'asc' ? fitting : fitting.toReversed();
					for (const field of ['inserted', 'createdAt'] as const) {
						const query = { where, orderBy: { field, direction } };
						const shown = [name, direction, field];
						expect([...shown, await allPages(store, { ...query, limit: 400 })]).toEqual([
							...shown,
							expected,
						]);
						expect([...shown, await ids(store, { ...query, limit: 7, offset: 5 })]).toEqual([
							...shown,
							expected.slice(5, 12),
						]);
					}
				}
			}
		});

		it('do not follow a record that does not exist', async () => {
			const { store } = host();
			await expect(ids(store, { limit: 5, after: 'MSG1' })).rejects.toMatchObject({
				code: 'error.gateway.store.unknownCursor',
			});
		});

		it('of an order do not follow a record without a value', async () => {
			const { store } = host();
			await store.transact((tx) => tx.messages.insert(messageAt(1), messageSecrets));
			const orderBy = { field: 'wasReadAt', direction: 'asc' } as const;
			await expect(ids(store, { orderBy, after: 'MSG1' })).rejects.toMatchObject({
				code: 'error.gateway.store.unknownCursor',
			});
		});
	});
}
