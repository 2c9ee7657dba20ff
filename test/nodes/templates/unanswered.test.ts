import type { IDataObject } from 'n8n-workflow';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
beforeAll(async () => {
	bench = await NodeBench.open();
});
afterAll(async () => {
	await bench.close();
});

const content = (value: string) => ({
	contentMode: 'json',
	content: JSON.stringify({ '@type': 'ArbitraryRelationshipTemplateContent', value }),
});

async function create(value: string, more: IDataObject = {}): Promise<string> {
	const template = await bench.one('relationshipTemplate', 'create', {
		...content(value),
		...more,
	});
	return String(template['id']);
}

async function unanswered(filters: IDataObject = {}, more: IDataObject = {}) {
	const items = await bench.run('relationshipTemplate', 'getUnanswered', { filters, ...more });
	return items.map(({ json: { id, state } }) => [id, state]);
}

describe('Get Unanswered', () => {
	it('lists templates until a person answers, newest first', async () => {
		const first = await create('first');
		const second = await create('second');
		expect(await unanswered()).toEqual([
			[second, 'open'],
			[first, 'open'],
		]);
		expect(await unanswered({}, { limit: 1 })).toEqual([[second, 'open']]);
		// The wallet answers another template.
		await bench.connect();
		expect(await unanswered()).toEqual([
			[second, 'open'],
			[first, 'open'],
		]);
	});

	it('leaves out a template that a connected person has answered by message', async () => {
		const request = {
			'@type': 'Request',
			items: [{ '@type': 'ConsentRequestItem', consent: 'May we?', mustBeAccepted: true }],
		};
		const purpose = { purpose: 'consent' };
		const [relationship] = await bench.run('relationship', 'getAll', {});
		await bench.one('relationship', 'accept', { relationship: relationship?.json['id'] });
		await bench.network.settle(bench.wallet);
		const template = await bench.one('relationshipTemplate', 'create', {
			contentMode: 'json',
			content: JSON.stringify({
				'@type': 'RelationshipTemplateContent',
				onNewRelationship: request,
				onExistingRelationship: request,
			}),
			...purpose,
		});
		expect(await unanswered({ purpose: 'consent' })).toEqual([[template['id'], 'open']]);
		await bench.wallet.templates.loadPeer({ reference: String(template['truncatedReference']) });
		const [open] = await bench.wallet.incomingRequests.list({
			where: [{ field: 'status', op: 'in', value: ['DecisionRequired', 'ManualDecisionRequired'] }],
		});
		await bench.wallet.incomingRequests.accept(String(open?.id), { items: [{ accept: true }] });
		await bench.network.settle(bench.wallet);
		await bench.settle();
		expect(await unanswered({ purpose: 'consent' })).toEqual([]);
	});

	it('leaves out other purposes', async () => {
		const letter = await create('letter', { purpose: 'class 5b' });
		expect(await unanswered({ purpose: 'class 5b', onlyValid: true })).toEqual([[letter, 'open']]);
		expect(await unanswered({ purpose: 'another' })).toEqual([]);
	});
});
