import { installPackage } from '../../scripts/n8n/install-package';
import { N8nHost, type Execution, type Workflow } from '../support/n8n/n8n-host';
import { testsIn } from './support/n8n-test';
import { credentialFor, OnboardedHost } from './support/onboarded-host';
import { byAddress, enmeshedNode, lookBack, webhook, workflowOf } from './support/workflow-builder';
import { onMail } from './support/workflows';

jest.setTimeout(300_000);

/** The names that n8n gives to nodes of custom folders. */
const inCustomFolder = (workflow: Workflow): Workflow =>
	JSON.parse(JSON.stringify(workflow).replaceAll('n8n-nodes-enmeshed.', 'CUSTOM.')) as Workflow;

/** A real n8n with the package in the folder `custom` of its data folder. */
async function prepareHost(): Promise<N8nHost> {
	const host = await N8nHost.prepare({}, { install: (home) => installPackage(home, 'custom') });
	const create = host.createWorkflow.bind(host);
	host.createWorkflow = async (workflow) => await create(inCustomFolder(workflow));
	return host;
}

describe('the package in a custom folder of n8n', () => {
	let place: OnboardedHost;
	const it = testsIn(() => place?.host);

	// Saves and publishes workflows, starts one by an event, and runs actions.
	beforeAll(async () => {
		place = await OnboardedHost.open({}, { prepare: prepareHost });
	});

	afterAll(() => place?.close());

	it('is loaded from there, and only there', async () => {
		const names = (await place.host.nodeTypes()).map(({ name }) => name);
		expect(names.filter((name) => /enmeshed/i.test(name)).sort()).toEqual([
			'CUSTOM.enmeshed',
			'CUSTOM.enmeshedHitlTool',
			'CUSTOM.enmeshedPageTrigger',
			'CUSTOM.enmeshedTool',
			'CUSTOM.enmeshedTrigger',
		]);
	});

	it('starts a workflow for each mail', async () => {
		const id = await place.host.createWorkflow(onMail(place.credentialId));
		await place.host.publish(id);
		await place.wallet.sendMail(place.gateway, 'Hello', 'text');
		expect((await ended(id)).status).toBe('success');
		await place.host.deactivate(id);
	});

	it('waits for the answer of a person', async () => {
		const { host, wallet, credentialId } = place;
		const ask = enmeshedNode('Ask', credentialId, {
			resource: 'outgoingRequest',
			operation: 'sendAndWait',
			to: byAddress(wallet.address),
			message: 'May we?',
			responseType: 'approval',
		});
		const found = lookBack('$json.data.approved');
		const id = await host.createWorkflow(
			workflowOf('ask', [webhook('ask', 'onReceived'), ask, found]),
		);
		await host.publish(id);
		await host.webhook('ask');
		await host.until(async () => {
			await wallet.sync();
			const [open] = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
			if (open === undefined) return false;
			await wallet.acceptRequest(String(open.id), [{ accept: true }]);
			return true;
		}, 'asking the wallet');
		const { data } = await ended(id);
		const [run] = data.resultData.runData['Look Back'] ?? [];
		expect(run?.data?.main[0]?.[0]?.json).toEqual({ found: true });
	});

	it('has no test of the credential, which n8n does not find there', async () => {
		const { status, message } = await place.host.credentialTest({
			id: place.credentialId,
			name: 'Sandbox',
			type: 'enmeshedBackboneApi',
			data: credentialFor(place.backbone),
		});
		expect({ status, message }).toEqual({
			status: 'Error',
			message: 'No testing function found for this credential.',
		});
	});

	async function ended(workflowId: string): Promise<Execution> {
		let found: Execution | undefined;
		await place.host.until(async () => {
			[found] = await place.host.executions(workflowId);
			return found !== undefined && !['waiting', 'running', 'new'].includes(found.status);
		}, 'ended');
		return found as Execution;
	}
});
