import { loosely } from '../../support/loosely';
import { ownText } from '../../../core/model/json';
import { createHash } from 'node:crypto';
import type { SettingRecord } from '../../../core/model/record/setting';
import type { Condition, MessageField, SettingField, Store } from '../../../core/store/store';
import {
	attributeRecord,
	createdAt,
	fileRecord,
	messageRecord,
	messageSecrets,
	newEvent,
	templateRecord,
} from '../../support/records';
import type { HostOfTest } from '../store.contract';

/** Texts that peers and users may write, and databases may stumble over. */
const oddTexts = {
	'a NUL character': 'a\0b',
	'nothing but a NUL character': '\0',
	'a character that is none': '\uFDD0',
	'what stands for a NUL character': '\uFDD00',
	'half of a pair': 'a\uD83Db',
	'the other half': '\uDE00',
	'an emoji': 'smile 😀',
	'an emoji of several characters': '👩‍👩‍👧',
	'a decomposed letter': 'A\u0308',
	'letters from right to left': 'שלום\u202E',
	'line breaks': 'a\r\nb\u2028c',
	'a byte order mark': '\uFEFFa',
	'the empty text': '',
	blanks: '  ',
} as const;
const odd = Object.entries(oddTexts);

/** 4,000 characters in which nothing repeats, so that no database can keep them shorter. */
const longText = (seed: string): string =>
	Array.from({ length: 63 }, (_, part) =>
		createHash('sha256').update(`${seed}${part}`).digest('hex'),
	)
		.join('')
		.slice(0, 4_000);

const mail = (subject: string) => ({ '@type': 'Mail', subject, body: '', [subject]: subject });

const fileSecrets = { secretKey: 'k', contentKey: 'k' };

const setting = (id: string, key: string): SettingRecord => ({
	id,
	key,
	scope: 'Identity',
	reference: key,
	value: {},
	createdAt,
});

export function textPromises(host: HostOfTest): void {
	const write = (work: Parameters<Store['transact']>[0]) => host().store.transact(work);

	async function messagesWith(condition: Condition<MessageField>): Promise<string[]> {
		const found = await host().store.read((tx) => tx.messages.list({ where: [condition] }));
		return found.map(({ record }) => record.id);
	}

	async function settingsWith(condition: Condition<SettingField>): Promise<string[]> {
		const found = await host().store.read((tx) => tx.settings.list({ where: [condition] }));
		return found.map(({ record }) => record.id);
	}

	describe('a text', () => {
		beforeEach(() =>
			write(async (tx) => {
				for (const [name, text] of odd) {
					const record = messageRecord(name, { content: mail(text), attachments: [text] });
					await tx.messages.insert(record, { messageKey: text });
				}
			}),
		);

		it.each(odd)('with %s comes back, in records and in secrets', async (name, text) => {
			const entry = await host().store.read((tx) => tx.messages.get(name));
			expect(entry?.record.content).toEqual(mail(text));
			expect(entry?.secrets).toEqual({ messageKey: text });
		});

		it.each(odd)('with %s is found, and no other', async (name, text) => {
			expect(await messagesWith({ field: 'subject', op: 'eq', value: text })).toEqual([name]);
			expect(await messagesWith({ field: 'attachment', op: 'eq', value: text })).toEqual([name]);
		});

		it.each(odd.filter(([, text]) => text !== ''))(
			'with %s is found by a search for it',
			async (name, text) => {
				expect(await messagesWith({ field: 'subject', op: 'contains', value: text })).toContain(
					name,
				);
				expect(await messagesWith({ field: 'subject', op: 'endsWith', value: text })).toContain(
					name,
				);
			},
		);

		it('is found by what stands behind a NUL character, and not by what does not', async () => {
			const after = await messagesWith({ field: 'subject', op: 'endsWith', value: 'b' });
			expect(after).toEqual(['a NUL character', 'half of a pair']);
			expect(await messagesWith({ field: 'subject', op: 'contains', value: '0' })).toEqual([
				'what stands for a NUL character',
			]);
		});
	});

	it('events and consumers keep odd texts', async () => {
		await write(async (tx) => {
			for (const [, text] of odd) {
				await tx.outbox.append(newEvent({ [text]: text }, { name: `n${text}`, subject: text }));
				await tx.consumers.put({ name: text, position: 0, parked: [], seenAt: text });
			}
		});
		const { events, names } = await host().store.read(async (tx) => ({
			events: await tx.outbox.readAfter(0, 100),
			names: (await tx.consumers.list()).map(({ seenAt }) => seenAt),
		}));
		expect(events.map(({ data }) => data)).toEqual(odd.map(([, text]) => ({ [text]: text })));
		expect(new Set(names)).toEqual(new Set(Object.values(oddTexts)));
	});

	it('texts that differ in half characters only are several values of a record', async () => {
		const tags = ['\uD83D', '\uDE00', '\uFFFD'];
		await write((tx) => tx.files.insert(fileRecord('FIL1', { tags }), fileSecrets));
		const entry = await host().store.read((tx) => tx.files.get('FIL1'));
		expect(entry?.record.tags).toEqual(tags);
	});

	describe('the order of texts', () => {
		const inOrder = [
			'',
			' ',
			'1',
			'10',
			'9',
			'A',
			'B',
			'Z',
			'_',
			'a',
			'aa',
			'b',
			'z',
			'Ä',
			'ß',
			'ä',
			'€',
			'\uFFFD',
			'😀',
		];

		beforeEach(() =>
			write(async (tx) => {
				for (const [index, text] of [...inOrder].reverse().entries()) {
					const content = { '@type': text, subject: text };
					await tx.messages.insert(messageRecord(`MSG${index}`, { content }), messageSecrets);
				}
			}),
		);

		it('is the order of their bytes, in whatever language the database is', async () => {
			const found = await host().store.read((tx) =>
				tx.messages.list({ orderBy: { field: 'contentType', direction: 'asc' } }),
			);
			expect(found.map(({ record }) => ownText(record.content, 'subject'))).toEqual(inOrder);
		});

		it.each(inOrder.map((text, place) => [text, place] as const))(
			'is the same when they are compared with %j',
			async (text, place) => {
				const below = await messagesWith({ field: 'subject', op: 'lt', value: text });
				const above = await messagesWith({ field: 'subject', op: 'gt', value: text });
				expect([below.length, above.length]).toEqual([place, inOrder.length - place - 1]);
			},
		);
	});

	describe('a text of four thousand characters', () => {
		const text = longText('a');
		const other = `${text.slice(0, -1)}!`;

		it('is kept and found wherever there is an index', async () => {
			await write(async (tx) => {
				await tx.settings.insert(setting('SET1', text), undefined);
				await tx.settings.insert(setting('SET2', other), undefined);
			});
			expect(await settingsWith({ field: 'key', op: 'eq', value: text })).toEqual(['SET1']);
			expect(await settingsWith({ field: 'key', op: 'ne', value: text })).toEqual(['SET2']);
			expect(await settingsWith({ field: 'reference', op: 'in', value: [other] })).toEqual([
				'SET2',
			]);
		});

		it('is searched in its first two hundred characters, where there is an index', async () => {
			const key = `${'ä€😀'.repeat(50)}${text}`;
			await write(async (tx) => {
				await tx.settings.insert(setting('SET1', key), undefined);
				const content = { '@type': 'Mail', subject: key };
				await tx.messages.insert(messageRecord('MSG1', { content }), messageSecrets);
			});
			const start = 'Ä€😀ä€';
			expect(await settingsWith({ field: 'key', op: 'startsWith', value: start })).toEqual([
				'SET1',
			]);
			expect(await settingsWith({ field: 'key', op: 'endsWith', value: '0' })).toEqual([]);
			const end = text.slice(-40);
			expect(await messagesWith({ field: 'subject', op: 'endsWith', value: end })).toEqual([
				'MSG1',
			]);
		});

		it('may be each part of an attribute', async () => {
			const content = {
				'@type': 'RelationshipAttribute',
				owner: text,
				key: text,
				confidentiality: text,
				validFrom: text,
				validTo: text,
				tags: [text, other],
				value: { '@type': text, title: text, value: text },
			};
			const shareInfo = { peer: text, requestReference: text, sourceAttribute: text };
			const record = attributeRecord('ATT1', { content: loosely(content), shareInfo });
			await write((tx) => tx.attributes.insert(record, undefined));
			for (const field of ['owner', 'key', 'valueType', 'tag', 'peer'] as const) {
				const where = [{ field, op: 'eq', value: text } as const];
				const found = await host().store.read((tx) => tx.attributes.list({ where }));
				expect(found.map((entry) => entry.record)).toEqual([record]);
			}
		});

		it('keeps what is unique unique', async () => {
			const first = fileRecord('FIL1', { idempotencyKey: text });
			const inserted = await write(async (tx) => [
				await tx.files.insertIfNew(first, fileSecrets),
				await tx.files.insertIfNew({ ...first, id: 'FIL2' }, fileSecrets),
				await tx.files.insertIfNew({ ...first, id: 'FIL3', idempotencyKey: other }, fileSecrets),
			]);
			expect(inserted).toEqual([true, false, true]);
		});
	});

	describe('a number', () => {
		const numbers = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, 2 ** 53 - 2, Number.MAX_SAFE_INTEGER];

		beforeEach(() =>
			write(async (tx) => {
				for (const [index, number] of numbers.entries()) {
					const parts = { maxNumberOfAllocations: number, isOwn: index % 2 === 0 };
					await tx.templates.insert(templateRecord(`RLT${index}`, parts), { secretKey: 'k' });
				}
			}),
		);

		it.each(numbers.map((number, place) => [number, place] as const))(
			'of %d is kept to the last digit, and compared so',
			async (value, place) => {
				const field = 'maxNumberOfAllocations';
				const counts = await host().store.read(async (tx) => [
					await tx.templates.count({ where: [{ field, op: 'lt', value }] }),
					await tx.templates.count({ where: [{ field, op: 'eq', value }] }),
					await tx.templates.count({ where: [{ field, op: 'gt', value }] }),
				]);
				expect(counts).toEqual([place, 1, numbers.length - place - 1]);
			},
		);

		it.each([1.5, -1, 1e300, -1e300, Number.MAX_VALUE])(
			'may be compared with %d',
			async (value) => {
				const field = 'maxNumberOfAllocations';
				const count = await host().store.read((tx) =>
					tx.templates.count({ where: [{ field, op: 'gt', value }] }),
				);
				expect(count).toBe(numbers.filter((number) => number > value).length);
			},
		);
	});
}
