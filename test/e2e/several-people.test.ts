import { exampleWorkflows } from '../../scripts/start/example-workflows';
import { Peer } from '../support/peer/peer';
import { testsIn } from './support/n8n-test';
import { OnboardedHost, onboardWallet } from './support/onboarded-host';

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

	/** The person who is asked decides. */
	async function decideNext(verb: 'acceptRequest' | 'rejectRequest'): Promise<void> {
		await place.host.until(async () => {
			for (const wallet of wallets) {
				await wallet.sync();
				const [open] = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
				if (open === undefined) continue;
				await wallet[verb](String(open.id), [{ accept: verb === 'acceptRequest' }]);
				return true;
			}
			return false;
		}, 'asking a person');
	}

	for (const [verb, end] of [
		['acceptRequest', 'All have approved'],
		['rejectRequest', 'Not all have approved'],
	] as const) {
		it(`goes on to '${end}' after an approval and then ${verb}`, async () => {
			const { host } = place;
			await host.runManually(id, 'When clicking ‘Execute workflow’');
			await decideNext('acceptRequest');
			await decideNext(verb);
			await host.until(
				async () => (await host.executions(id))[0]?.status === 'success',
				'done with both',
			);
			const [execution] = await host.executions(id);
			const runData = execution?.data.resultData.runData;
			const asked = runData?.['Ask them all'];
			expect(asked).toHaveLength(1);
			expect(asked?.[0]?.data?.main[0]).toHaveLength(2);
			const nodes = Object.keys(runData ?? {});
			expect(nodes).toContain(end);
			expect(nodes).toHaveLength(5);
		});
	}
});
