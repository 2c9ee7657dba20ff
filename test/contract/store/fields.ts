import { loosely } from '../../support/loosely';
import type { Collection, ColumnValue } from '../../../core/store/store';
import type { JsonObject } from '../../../core/model/json';
import { attributeRecord } from '../../support/records';
import { fieldExamples } from '../../support/fields/field-examples';
import type { HostOfTest } from '../store.contract';

type AnyCollection = Collection<{ readonly id: string }, unknown, string>;

/** Returns a collection with the types that all collections share. */
const collectionOf = (tx: object, name: string): AnyCollection =>
	(tx as Record<string, AnyCollection>)[name] as AnyCollection;

/** Lists find the records of each collection by each of its fields. */
export function fieldPromises(host: HostOfTest): void {
	it.each(Object.keys(fieldExamples) as Array<keyof typeof fieldExamples>)(
		'records of %s are found by the values of their fields',
		async (name) => {
			const { full, bare, secrets } = fieldExamples[name];
			const of = (tx: object) => collectionOf(tx, name);
			await host().store.transact(async (tx) => {
				await of(tx).insert(full.record, secrets);
				await of(tx).insert(bare.record, secrets);
			});
			const found: Record<string, object> = {};
			const expected: Record<string, object> = {};
			const inBare: Record<string, unknown> = bare.fields;
			await host().store.read(async (tx) => {
				const idsOf = async (condition: object): Promise<string[]> => {
					const entries = await of(tx).list({ where: [condition as never] });
					return entries.map(({ record }) => record.id);
				};
				for (const [field, values] of Object.entries<ColumnValue | readonly ColumnValue[]>(
					full.fields,
				)) {
					const all = [values].flat();
					if (all.length === 0) continue;
					for (const value of all) {
						found[`${field} ${value}`] = await idsOf({ field, op: 'eq', value });
						expected[`${field} ${value}`] = [full.record.id];
					}
					found[`${field} is there`] = await idsOf({ field, op: 'exists' });
					expected[`${field} is there`] =
						inBare[field] === undefined ? [full.record.id] : [full.record.id, bare.record.id];
				}
				for (const [field, values] of Object.entries(inBare)) {
					for (const value of [values].flat() as ColumnValue[]) {
						found[`${field} ${value}`] = await idsOf({ field, op: 'eq', value });
						expected[`${field} ${value}`] = [bare.record.id];
					}
				}
			});
			expect(found).toEqual(expected);
		},
	);

	it('records are counted by the values of a field, also of a sealed one', async () => {
		const { store } = host();
		const sources = ['ATTa', 'ATTa', 'ATTb', undefined];
		await store.transact(async (tx) => {
			for (const [index, sourceAttribute] of sources.entries()) {
				const peer = index === 0 ? 'did:e:a' : 'did:e:b';
				const source = sourceAttribute === undefined ? {} : { sourceAttribute };
				const record = attributeRecord(`ATT${index}`, { shareInfo: { peer, ...source } });
				await tx.attributes.insert(record, undefined);
			}
		});
		const [bySource, byPeer, byNone] = await store.read(async (tx) => [
			await tx.attributes.countBy('sourceAttribute', ['ATTb', 'ATTa', 'ATTc']),
			await tx.attributes.countBy('peer', ['did:e:b']),
			await tx.attributes.countBy('peer', []),
		]);
		expect(Object.fromEntries(bySource)).toEqual({ ATTa: 2, ATTb: 1 });
		expect(Object.fromEntries(byPeer)).toEqual({ 'did:e:b': 3 });
		expect(byNone.size).toBe(0);
	});

	it.each<readonly [string, JsonObject]>([
		['no list', { tags: 'a', items: 'a' }],
		['a list of other values', { tags: [7, null], items: [7, null, {}, { '@type': 7 }] }],
	])('content in which there is %s has no values of its lists', async (_name, content) => {
		const { store } = host();
		await store.transact(async (tx) => {
			await tx.attributes.insert(attributeRecord('ATT1', { content: loosely(content) }), undefined);
			const { record } = fieldExamples.requests.bare;
			await tx.requests.insert({ ...record, content: loosely(content) }, undefined);
		});
		const counts = await store.read(async (tx) => [
			await tx.attributes.count({ where: [{ field: 'tag', op: 'exists' }] }),
			await tx.requests.count({ where: [{ field: 'itemType', op: 'exists' }] }),
			await tx.requests.count({ where: [{ field: 'innerItemType', op: 'exists' }] }),
		]);
		expect(counts).toEqual([0, 0, 0]);
	});
}
