import type { IDataObject } from 'n8n-workflow';
import { judged, type Gateway } from '../../../core';
import { WaitingExecutions } from '../../support/n8n/waiting-executions';
import { until } from '../../support/until';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
let host: WaitingExecutions;
let wallets: Gateway[];
let people: string[];
let executions = 0;

beforeAll(async () => {
	bench = await NodeBench.open();
	host = await WaitingExecutions.open();
	host.credential = bench.credential;
	process.env['N8N_PORT'] = new URL(host.signedUrl('0', {})).port;
	wallets = [bench.wallet, await bench.network.gateway(), await bench.network.gateway()];
	people = [];
	for (const wallet of wallets) {
		const { address, relationshipId } = await bench.connect(wallet);
		people.push(address);
		await bench.one('relationship', 'accept', { relationship: relationshipId });
		await bench.network.settle(wallet);
	}
});
afterAll(async () => {
	delete process.env['N8N_PORT'];
	await bench.close();
	await host.down();
});

const address = (index: number): string => people[index] ?? '';

/** Asks the person of each item, or the people of a list, in an execution of its own. */
async function ask(parameters: IDataObject, items = people): Promise<string> {
	const executionId = `exec${++executions}`;
	const common = { people: 'items', message: 'May we?', ...parameters };
	const entered = items.map((to) => ({ ...common, to }));
	await bench.run('outgoingRequest', 'sendAndWait', entered, { executionId, waiting: host });
	return executionId;
}

const askList = (parameters: IDataObject): Promise<string> =>
	ask({ people: 'list', toList: people, ...parameters }, ['']);

async function openRequests(index: number) {
	const wallet = wallets[index];
	if (wallet === undefined) throw new Error(`There is no wallet ${index}`);
	await bench.network.settle(wallet);
	const requests = await wallet.incomingRequests.list({
		where: [{ field: 'status', op: 'in', value: ['DecisionRequired', 'ManualDecisionRequired'] }],
	});
	return { wallet, requests };
}

/** The person answers what is open, each request with the same items. */
async function answer(index: number, items: object[]): Promise<void> {
	const { wallet, requests } = await openRequests(index);
	const isAccepted = items.some((item) => 'accept' in item && item.accept === true);
	for (const { id } of requests) {
		await wallet.incomingRequests[isAccepted ? 'accept' : 'reject'](id, judged({ items }));
	}
	await bench.network.settle(wallet);
}

/** Answers of people who are asked no more, so that the next test begins without open requests. */
async function answerRest(): Promise<void> {
	for (const index of people.keys())
		await answer(index, [{ accept: false }]).catch(() => undefined);
}
afterEach(answerRest);

const approve = [{ accept: true }];
const decline = (message?: string) => [
	{ accept: false, ...(message === undefined ? {} : { code: 'no', message }) },
];

async function outputsOf(executionId: string): Promise<IDataObject[]> {
	await until(async () => {
		await bench.settle();
		return host.outputs(executionId).length > 0;
	});
	return host.outputs(executionId)[0] ?? [];
}

const hasGoneOn = async (executionId: string): Promise<boolean> => {
	await bench.settle();
	return host.outputs(executionId).length > 0;
};

describe('a question to several people', () => {
	it('waits for all answers, and gives one item for each person', async () => {
		const execution = await ask({});
		await answer(0, approve);
		await answer(1, decline('Too expensive'));
		expect(await hasGoneOn(execution)).toBe(false);
		await answer(2, approve);
		const outputs = await outputsOf(execution);
		expect(outputs).toMatchObject([
			{ peer: address(0), data: { approved: true }, answered: true },
			{ peer: address(1), data: { approved: false }, comment: 'Too expensive' },
			{ peer: address(2), data: { approved: true } },
		]);
		const group = { asked: 3, answered: 3, approved: 2, declined: 1, decision: 'approved' };
		expect(outputs.map((output) => output['group'])).toEqual([group, group, group]);
	});

	it('goes on with the first answers; who has not answered is in the output, too', async () => {
		const execution = await askList({ goOn: 'first', wanted: 1 });
		await answer(1, approve);
		expect(await outputsOf(execution)).toMatchObject([
			{ peer: address(0), answered: false, timedOut: false, reason: 'notNeeded' },
			{ peer: address(1), answered: true },
			{ peer: address(2), answered: false, reason: 'notNeeded' },
		]);
	});

	it('goes on with a majority, before the last person has answered', async () => {
		const execution = await askList({ goOn: 'majority' });
		await answer(0, decline('No'));
		expect(await hasGoneOn(execution)).toBe(false);
		await answer(2, decline('Never'));
		const [first] = await outputsOf(execution);
		expect(first?.['group']).toEqual({
			...{ asked: 3, answered: 2, approved: 0, declined: 2, decision: 'declined' },
		});
	});

	it('goes on once a majority cannot be reached any more', async () => {
		const execution = await askList({
			goOn: 'majority',
			responseType: 'choice',
			choices: 'Mon\nTue\nWed',
		});
		const pick = (place: number) => [0, 1, 2].map((index) => ({ accept: index === place }));
		for (const index of [0, 1, 2]) await answer(index, pick(index));
		const outputs = await outputsOf(execution);
		expect(outputs.map(({ data }) => (data as IDataObject)['choice'])).toEqual([
			'Mon',
			'Tue',
			'Wed',
		]);
		expect(outputs[0]?.['group']).toMatchObject({
			choices: { Mon: 1, Tue: 1, Wed: 1 },
			decision: null,
		});
	});

	it('asks all connected people, or all with one purpose', async () => {
		const execution = await ask({ people: 'connected' }, ['']);
		for (const index of people.keys()) await answer(index, approve);
		const outputs = await outputsOf(execution);
		expect(outputs.map(({ peer }) => peer)).toEqual(people);
		const purpose = { __rl: true, mode: 'name', value: 'another' };
		await expect(ask({ people: 'connected', purpose }, [''])).rejects.toMatchObject({
			message: "The field 'Ask' is not valid",
		});
	});

	it('asks a person once who is named twice', async () => {
		const execution = await ask({}, [address(0), address(1), address(0)]);
		expect((await openRequests(0)).requests).toHaveLength(1);
		await answer(0, approve);
		await answer(1, approve);
		expect(await outputsOf(execution)).toHaveLength(2);
	});

	it('says who cannot be asked, and asks the others', async () => {
		const stranger = `${address(0).slice(0, -22)}${'0'.repeat(22)}`;
		const execution = await ask({}, [stranger, address(1)]);
		await answer(1, approve);
		expect(await outputsOf(execution)).toMatchObject([
			{
				answered: false,
				reason: 'notSent',
				error: expect.stringContaining('error.') as string,
				peer: stranger,
			},
			{ answered: true, peer: address(1) },
		]);
	});

	it('fails if none of them can be asked', async () => {
		const stranger = `${address(0).slice(0, -22)}${'1'.repeat(22)}`;
		await expect(ask({}, [stranger])).rejects.toThrow(/relationship/i);
		const { gateway, release } = await bench.gateway();
		const waits = await gateway.waits.list();
		release();
		expect(
			waits.filter(({ id, peer }) => peer === stranger || id.includes(`exec${executions}:`)),
		).toEqual([]);
	});

	it('asks no person before all items are valid', async () => {
		await expect(ask({}, [address(0), ''])).rejects.toMatchObject({ context: { itemIndex: 1 } });
		expect((await openRequests(0)).requests).toEqual([]);
	});

	it.each([
		['no person', { toList: [] }, 'People'],
		['more answers than people', { goOn: 'first', wanted: 4 }, 'Number of Answers'],
		['a majority of free texts', { goOn: 'majority', responseType: 'freeText' }, 'Go On With'],
		['one choice', { responseType: 'choice', choices: 'Mon\nMon' }, 'Choices'],
		[
			'an escalation to people who are asked already',
			{ options: { escalation: { values: { amount: 1, unit: 'days', people: 'PEOPLE' } } } },
			'Escalate',
		],
	])('refuses %s', async (_what, parameters, field) => {
		const entered = JSON.parse(
			JSON.stringify(parameters).replace('"PEOPLE"', JSON.stringify(people)),
		) as IDataObject;
		await expect(askList(entered)).rejects.toThrow(`The field '${field}' is not valid`);
		expect((await openRequests(0)).requests).toEqual([]);
	});

	it('does not ask again when n8n repeats the node', async () => {
		const entered = { people: 'list', toList: people, message: 'May we?' };
		const again = { executionId: `exec${++executions}`, waiting: host };
		await bench.run('outgoingRequest', 'sendAndWait', entered, again);
		await bench.run('outgoingRequest', 'sendAndWait', entered, again);
		for (const index of people.keys()) {
			expect((await openRequests(index)).requests).toHaveLength(1);
			await answer(index, approve);
		}
		expect(await outputsOf(again.executionId)).toMatchObject([
			{ answered: true },
			{ answered: true },
			{ answered: true },
		]);
		const { gateway, release } = await bench.gateway();
		await until(async () => (await gateway.waits.list()).length === 0, 30_000);
		release();
	});
});
