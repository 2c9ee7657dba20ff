import { ownText } from '../../core/model/json';
import { settle } from '../support/gateways';
import { methods } from '../../nodes/Enmeshed/methods';
import { loadOptionsFunctions } from '../support/n8n/n8n-functions';
import { until } from '../support/until';
import { NodeBench } from './support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;

beforeAll(async () => {
	bench = await NodeBench.open();
});

afterAll(async () => {
	await bench.close();
});

const locator = (value: unknown) => ({ __rl: true, mode: 'id', value });

describe('problems', () => {
	const lose = (): void =>
		void bench.network.backbone.faults.add({
			method: 'POST',
			path: /Messages/,
			action: { kind: 'cutAfter' },
		});
	const list = async (): Promise<unknown[]> => {
		const items = await bench.run('account', 'getProblems');
		return items.map(({ json }) => json);
	};

	async function send(): Promise<void> {
		const { relationshipId, address } = await bench.connect();
		await bench.run('relationship', 'accept', { relationship: locator(relationshipId) });
		await settle(bench.wallet);
		const mail = { to: locator(address), subject: 'lost', body: 'b' };
		await bench.run('message', 'sendMail', { ...mail, subject: 'before' });
		lose();
		await expect(bench.run('message', 'sendMail', mail)).rejects.toMatchObject({
			description: expect.stringContaining('Syncs look for the message'),
		});
	}

	it('are listed by kind, and solved one by one', async () => {
		await send();
		const [problem] = await bench.run('account', 'getProblems', { filters: { kind: 'sending' } });
		expect(problem?.json).toMatchObject({ kind: 'sending', subject: 'Mail' });
		expect(await bench.run('account', 'getProblems', { filters: { kind: 'delivery' } })).toEqual(
			[],
		);
		const id = String(problem?.json['id']);
		const functions = loadOptionsFunctions({ credentials: bench.credential });
		expect(await methods.listSearch?.['searchProblems']?.call(functions, 'mail')).toEqual({
			results: [
				{
					name: expect.stringMatching(/^Mail of .*: may not have been sent$/) as string,
					value: id,
				},
			],
		});
		expect(
			await bench.one('account', 'getProblems', { handling: 'retry', problem: locator(id) }),
		).toEqual({
			id,
			kind: 'sending',
			outcome: 'solved',
		});
		expect(await list()).toEqual([]);
		await settle(bench.wallet);
		const subjects = (await bench.wallet.messages.list()).map(({ content }) =>
			ownText(content, 'subject'),
		);
		expect(subjects).toEqual(['before', 'lost']);
	});

	it('of a consumer are listed by its name, and discarded', async () => {
		const lease = await bench.gateway();
		const { gateway } = lease;
		const stop = new AbortController();
		const consumed = gateway.events.consume({
			consumer: 'webhook:crm',
			filter: { names: ['consumption.attributeCreated'] },
			startFrom: 'oldest',
			batchSize: 1,
			deliver: () => Promise.resolve({ kind: 'parked', reason: 'answered 410' }),
			signal: stop.signal,
		});
		for (const value of ['a', 'b']) {
			await gateway.attributes.create({ content: { value: { '@type': 'DisplayName', value } } });
		}
		await until(async () => (await gateway.problems.list()).length === 2);
		const all = await list();
		expect(all).toMatchObject([
			{ consumer: 'webhook:crm', message: 'answered 410', isErased: false, isDiscardable: true },
			{ consumer: 'webhook:crm' },
		]);
		const of = (consumer: string) =>
			bench.run('account', 'getProblems', { filters: { consumer, kind: 'delivery' } });
		expect((await of('webhook:crm')).map(({ json }) => json)).toEqual(all);
		expect(await of('webhook:other')).toEqual([]);
		expect(await bench.run('account', 'getProblems', { filters: { consumer: '' } })).toHaveLength(
			2,
		);
		const problems = (all as Array<{ id: string }>).map(({ id }) => ({
			handling: 'discard',
			problem: locator(id),
		}));
		const discarded = await bench.run('account', 'getProblems', problems);
		expect(discarded.map(({ json }) => json)).toEqual(
			all.map((problem) => ({ ...(problem as object), outcome: 'discarded' })),
		);
		expect(await list()).toEqual([]);
		stop.abort();
		await consumed;
		lease.release();
	});

	it.each(['retry', 'discard'])('that are unknown are refused: %s', async (handling) => {
		const unknown = { handling, problem: locator('SND0000000000000000') };
		await expect(bench.run('account', 'getProblems', unknown)).rejects.toMatchObject({
			context: { code: 'error.gateway.problems.unknown' },
		});
		const items = await bench.run('account', 'getProblems', [unknown, unknown], {
			continueOnFail: true,
		});
		expect(items.map(({ json }) => json['error'])).toEqual([
			expect.stringContaining('error.gateway.problems.unknown'),
			expect.stringContaining('error.gateway.problems.unknown'),
		]);
	});
});
