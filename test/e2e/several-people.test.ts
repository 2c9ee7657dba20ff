import { exampleWorkflows } from '../../scripts/start/example-workflows';
import { Peer } from '../support/peer/peer';
import { testsIn } from './support/n8n-test';
import { OnboardedHost, onboardWallet } from './support/onboarded-host';
import { enmeshedNode, webhook, workflowOf } from './support/workflow-builder';
import { onMail } from './support/workflows';

jest.setTimeout(600_000);

describe("the example 'Ask several people and go on', in a real n8n", () => {
	let place: OnboardedHost;
	let wallets: Peer[];
	let id: string;
	const it = testsIn(() => place?.host, 500_000);

	beforeAll(async () => {
		place = await OnboardedHost.open();
		const { host, wallet, backbone, credentialId } = place;
		const second = await Peer.start(6, { baseUrl: backbone.baseUrl });
		wallets = [wallet, second];
		await onboardWallet(host, second, credentialId, 'onboard-2');
		const example = exampleWorkflows({ id: credentialId, name: 'Sandbox' }).find(
			({ workflow }) => workflow.name === '15. Ask several people and go on',
		);
		if (example === undefined) throw new Error('There is no such example');
		id = await host.createWorkflow(example.workflow);
	});

	afterAll(async () => {
		await wallets?.[1]?.stop();
		await place?.close();
	});

	type Verb = 'acceptRequest' | 'rejectRequest';

	/** The first person who is asked decides. */
	async function decide(verb: Verb): Promise<boolean> {
		for (const wallet of wallets) {
			await wallet.sync();
			const [open] = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
			if (open === undefined) continue;
			await wallet[verb](String(open.id), [{ accept: verb === 'acceptRequest' }]);
			return true;
		}
		return false;
	}

	const decideNext = (verb: Verb): Promise<void> =>
		place.host.until(() => decide(verb), 'asking a person');

	for (const [verb, end] of [
		['acceptRequest', 'All have approved'],
		['rejectRequest', 'Not all have approved'],
	] as const) {
		it(`goes on to '${end}' after an approval and then ${verb}`, async () => {
			const { host } = place;
			const ended = async () =>
				(await host.executions(id)).filter(({ status }) => status === 'success');
			const { length } = await ended();
			await host.runManually(id, 'When clicking ‘Execute workflow’');
			await decideNext('acceptRequest');
			await decideNext(verb);
			await host.until(async () => (await ended()).length > length, 'done with both');
			const [execution] = await ended();
			const runData = execution?.data.resultData.runData;
			const asked = runData?.['Ask them all'];
			expect(asked).toHaveLength(1);
			expect(asked?.[0]?.data?.main[0]).toHaveLength(2);
			const nodes = Object.keys(runData ?? {});
			expect(nodes).toContain(end);
			expect(nodes).toHaveLength(5);
		});
	}

	it('goes on once, with the answers of all, although n8n is killed in between', async () => {
		const { host, credentialId } = place;
		await host.publish(await host.createWorkflow(onMail(credentialId)));
		const ask = enmeshedNode('Ask', credentialId, {
			resource: 'outgoingRequest',
			operation: 'sendAndWait',
			people: 'list',
			toList: wallets.map(({ address }) => address),
			message: 'May we?',
		});
		const path = 'ask-both';
		const asking = await host.createWorkflow(workflowOf(path, [webhook(path, 'onReceived'), ask]));
		await host.publish(asking);
		await host.webhook(path, {});
		const stateOf = async () => (await host.executions(asking)).map(({ status }) => status);
		await host.until(async () => (await stateOf())[0] === 'waiting', 'waiting for both');
		await decideNext('acceptRequest');
		await host.kill();
		await decide('rejectRequest');
		await host.start();
		await host.until(async () => (await stateOf())[0] === 'success', 'done with both');
		const executions = await host.executions(asking);
		expect(executions).toHaveLength(1);
		const [output] = executions[0]?.data.resultData.runData['Ask']?.at(-1)?.data?.main ?? [];
		expect(output?.map(({ json }) => json)).toMatchObject([
			{
				answered: true,
				group: { asked: 2, answered: 2, approved: 1, declined: 1, decision: null },
			},
			{ answered: true },
		]);
	});
});
