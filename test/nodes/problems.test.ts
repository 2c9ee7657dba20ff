import { methods } from '../../nodes/Enmeshed/methods';
import { loadOptionsFunctions } from '../support/n8n-functions';
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
		await bench.wallet.account.sync();
		const mail = { to: locator(address), subject: 'lost', body: 'b' };
		await bench.run('message', 'sendMail', { ...mail, subject: 'before' });
		lose();
		await expect(bench.run('message', 'sendMail', mail)).rejects.toMatchObject({
			description: expect.stringContaining('next sync'),
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
		expect(await bench.one('account', 'retryProblem', { problem: locator(id) })).toEqual({
			id,
			kind: 'sending',
			outcome: 'solved',
		});
		expect(await list()).toEqual([]);
		await bench.wallet.account.sync();
		const subjects = (await bench.wallet.messages.list()).map(({ content }) => content['subject']);
		expect(subjects).toEqual(['before', 'lost']);
	});

	it('that are not known are refused, also next to others', async () => {
		const unknown = { problem: locator('SND0000000000000000') };
		await expect(bench.run('account', 'retryProblem', unknown)).rejects.toMatchObject({
			context: { code: 'error.gateway.problems.unknown' },
		});
		const items = await bench.run('account', 'retryProblem', [unknown, unknown], {
			continueOnFail: true,
		});
		expect(items.map(({ json }) => json['error'])).toEqual([
			expect.stringContaining('error.gateway.problems.unknown'),
			expect.stringContaining('error.gateway.problems.unknown'),
		]);
	});
});
