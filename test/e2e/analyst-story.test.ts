import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { exampleWorkflows } from '../../scripts/start/example-workflows';
import { N8nHost, type ExecutionItem, type Workflow } from '../support/n8n/n8n-host';
import { Peer, type PeerObject } from '../support/peer/peer';
import { withChosenAttribute } from './support/chosen-attribute';
import { testsIn } from './support/n8n-test';
import { credentialFor } from './support/onboarded-host';

jest.setTimeout(300_000);

const start = 'When clicking ‘Execute workflow’';
const oldName = 'Example Organisation';
const newName = 'Example Organisation International';

/** The example workflows as they are imported; nothing is chosen in lists but what they offer. */
describe('an analyst without a line of JSON', () => {
	let backbone: SandboxBackbone;
	let host: N8nHost;
	let wallet: Peer;
	let credentialId: string;
	let examples: Map<string, Workflow>;
	const it = testsIn(() => host);

	beforeAll(async () => {
		backbone = await SandboxBackbone.open();
		wallet = await Peer.start(6, { baseUrl: backbone.baseUrl });
		host = await N8nHost.prepare();
		await host.start();
		credentialId = await host.createCredential(credentialFor(backbone));
		const found = exampleWorkflows({ id: credentialId, name: 'Sandbox' });
		examples = new Map(found.map(({ workflow }) => [workflow.name, workflow]));
	});

	afterAll(async () => {
		await host?.dispose();
		await wallet?.stop();
		await backbone?.close();
	});

	it('asks, shares, reads the answers by name, writes a mail and tells about a new name', async () => {
		await run(example('6. Enter your name'), 'Our name');

		const ask = await withChoice(example('7. Ask new customers'), `Display Name: ${oldName}`);
		const template = await run(ask, 'Create QR code');
		const greetId = await host.createWorkflow(example('8. Greet new customers'));
		await host.publish(greetId);
		await answer(template.json);

		await host.until(async () => (await mails()).length > 0, 'sending the mail');
		expect(await mails()).toMatchObject([
			{
				subject: 'Welcome, Ada',
				body: 'You are a customer now. We will write to ada@example.com.',
			},
		]);
		expect(await outputOf(greetId, 'Customer')).toMatchObject({
			json: { Name: 'Ada', Email: 'ada@example.com', Phone: null, Terms: true },
		});
		expect(await namesAtWallet()).toEqual([oldName]);

		const tell = await withChoice(example('5. Tell about a new name'), `Display Name: ${oldName}`);
		const told = await run(tell, 'Tell them');
		expect(told.json).toMatchObject({ value: newName, previousValue: oldName });
		await wallet.sync();
		await wallet.waitForEvent('consumption.peerSharedAttributeSucceeded');
		expect(await namesAtWallet()).toEqual([newName]);
	});

	function example(name: string): Workflow {
		const found = examples.get(name);
		if (found === undefined) throw new Error(`no example is called '${name}'`);
		return found;
	}

	const withChoice = (workflow: Workflow, name: string): Promise<Workflow> =>
		withChosenAttribute(host, credentialId, workflow, name);

	/** The first item of a node after 'Execute workflow'. */
	async function run(workflow: Workflow, node: string): Promise<ExecutionItem> {
		const id = await host.createWorkflow(workflow);
		await host.runManually(id, start);
		return await outputOf(id, node);
	}

	async function outputOf(workflowId: string, node: string): Promise<ExecutionItem> {
		let found: ExecutionItem | undefined;
		await host.until(async () => {
			const [execution] = await host.executions(workflowId);
			const failure = execution?.data.resultData.error?.message;
			if (failure !== undefined) throw new Error(failure);
			found = execution?.data.resultData.runData[node]?.[0]?.data?.main[0]?.[0];
			return found !== undefined;
		}, `done with ${node}`);
		return found as ExecutionItem;
	}

	/** The person gives name and e-mail address, keeps the phone number, takes and agrees to the rest. */
	async function answer(template: Record<string, unknown>): Promise<void> {
		const request = await wallet.receiveRequest(String(template['truncatedReference']));
		expect(request['content']).toMatchObject({
			items: [
				{ query: { valueType: 'GivenName' }, mustBeAccepted: true },
				{ query: { valueType: 'EMailAddress' }, mustBeAccepted: true },
				{ query: { valueType: 'PhoneNumber' }, mustBeAccepted: false },
				{ attribute: { value: { '@type': 'DisplayName', value: oldName } } },
				{
					consent: 'I agree to the terms and conditions.',
					link: 'https://example.com/terms',
					linkDisplayText: 'Terms and conditions',
					mustBeAccepted: true,
				},
			],
		});
		const share = (type: string, value: string): object => ({
			accept: true,
			newAttribute: {
				'@type': 'IdentityAttribute',
				owner: wallet.address,
				value: { '@type': type, value },
			},
		});
		await wallet.acceptRequest(request.id, [
			share('GivenName', 'Ada'),
			share('EMailAddress', 'ada@example.com'),
			{ accept: false },
			{ accept: true },
			{ accept: true },
		]);
	}

	async function mails(): Promise<Array<Record<string, unknown>>> {
		await wallet.sync();
		const contents = await wallet.receivedContents();
		return contents.filter((content) => content['@type'] === 'Mail');
	}

	/** What the wallet would show as the name of the organisation: newest versions only. */
	async function namesAtWallet(): Promise<unknown[]> {
		const valueOf = ({ content }: PeerObject) =>
			(content as { value: { '@type': string; value: unknown } }).value;
		return (await wallet.attributes())
			.filter((attribute) => valueOf(attribute)['@type'] === 'DisplayName')
			.filter((attribute) => attribute['succeededBy'] === undefined)
			.map((attribute) => valueOf(attribute).value);
	}
});
