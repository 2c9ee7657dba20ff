import type { TemplateRecord } from '../../../../core/model/record/template';
import { compareTemplates } from '../../../../core/sync/reconciliation/template-comparison';
import { templateRecord } from '../../../support/records';
import { ComparisonBench, recovered, relationshipRecord } from './comparison-bench';

let bench: ComparisonBench;
beforeEach(async () => {
	bench = await ComparisonBench.open({});
});
afterEach(() => bench.close());

const add = async (...templates: readonly TemplateRecord[]): Promise<void> =>
	await bench.store.transact(async (tx) => {
		for (const template of templates) await tx.templates.insert(template, { secretKey: 'k' });
	});

const usedBy = (id: string, templateId: string, createdByUs = false) =>
	relationshipRecord(id, { templateId, createdByUs });

const compare = (position = 0) => compareTemplates(bench, position, {});

describe('comparing templates', () => {
	it('finds an own one with as many relationships as it allows', async () => {
		const limited = { maxNumberOfAllocations: 2 };
		await add(
			templateRecord('RLT1', limited),
			templateRecord('RLT2', limited),
			templateRecord('RLT3', limited),
		);
		await bench.addRelationships(
			usedBy('REL1', 'RLT1'),
			usedBy('REL2', 'RLT1'),
			usedBy('REL3', 'RLT2'),
			usedBy('REL4', 'RLT3'),
			usedBy('REL5', 'RLT3', true),
		);
		expect(await compare()).toStrictEqual({
			compared: 3,
			found: [
				recovered({
					id: 'recovered:RLT1',
					type: 'RelationshipTemplateAllocationsExhausted',
					payload: { relationshipTemplateId: 'RLT1' },
					createdAt: bench.now,
				}),
			],
		});
	});

	it('leaves out the ones of peers, those without a limit and those known to be used up', async () => {
		await add(
			templateRecord('RLT1', { isOwn: false, maxNumberOfAllocations: 1 }),
			templateRecord('RLT2'),
			templateRecord('RLT3', { maxNumberOfAllocations: 1, allocationsExhausted: true }),
		);
		await bench.addRelationships(...['RLT1', 'RLT2', 'RLT3'].map((id) => usedBy(`REL-${id}`, id)));
		expect(await compare()).toStrictEqual({ compared: 0, found: [] });
	});

	it('reads a group, and continues after it', async () => {
		const limited = { maxNumberOfAllocations: 1 };
		await add(...Array.from({ length: 100 }, (_, index) => templateRecord(`RLT${index}`, limited)));
		const first = await compare();
		expect(first).toStrictEqual({ compared: 100, found: [], next: expect.any(Number) });
		await add(templateRecord('RLT100', limited));
		expect(await compare(first.next)).toStrictEqual({ compared: 1, found: [] });
	});
});
