import { exampleWorkflows } from '../../scripts/start/example-workflows';
import { ModelStub, type ToolCall } from '../support/n8n/model-stub';
import type { Execution, Workflow } from '../support/n8n/n8n-host';
import { agentWorkflow } from './support/agent-workflow';
import { testsIn } from './support/n8n-test';
import { OnboardedHost } from './support/onboarded-host';
import { byAddress, enmeshedNode, type TestNode } from './support/workflow-builder';

jest.setTimeout(600_000);

interface OpenRequest {
	readonly id: string;
	readonly content: { readonly items: ReadonlyArray<Record<string, unknown>> };
}

let place: OnboardedHost;
let model: ModelStub;
let modelCredential: string;

beforeAll(async () => {
	model = await ModelStub.open();
	place = await OnboardedHost.open();
	const created = await place.host.api('POST', '/credentials', {
		name: 'Model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url, header: false, allowedHttpRequestDomains: 'all' },
	});
	modelCredential = (created as { id: string }).id;
});

afterAll(async () => {
	await model?.close();
	await place?.close();
});

const it = testsIn(() => place?.host, 200_000);

/** One of the variants of the node that n8n generates for agents. */
const variant = (type: 'enmeshedTool' | 'enmeshedHitlTool', name: string, parameters: object) => ({
	...enmeshedNode(name, place.credentialId, parameters),
	type: `n8n-nodes-enmeshed.${type}`,
});

const pay: TestNode = {
	name: 'Pay',
	type: '@n8n/n8n-nodes-langchain.toolCode',
	typeVersion: 1.3,
	parameters: {
		description: 'Pays an amount',
		jsCode: 'return `Paid ${query.amount} to ${query.recipient}`;',
		specifyInputSchema: true,
		jsonSchemaExample: '{ "amount": 60, "recipient": "Ada" }',
	},
};

const payment = (amount: number): ToolCall => ({
	tool: 'Pay',
	input: { toolParameters: { amount, recipient: 'Ada' }, hitlParameters: {} },
});

/** An agent whose payments a person has to approve. */
function reviewed(name: string, parameters: object = {}, modelParameters: object = {}): Workflow {
	const to = byAddress(place.wallet.address);
	const review = variant('enmeshedHitlTool', 'Review', { to, ...parameters });
	const reviewers = { Pay: 'Review' };
	return agentWorkflow(name, { tools: [pay, review], reviewers, modelCredential, modelParameters });
}

async function start(workflow: Workflow, plan: ModelStub['plan']): Promise<string> {
	const { host } = place;
	model.plan = plan;
	const id = await host.createWorkflow(workflow);
	await host.publish(id);
	await host.webhook(workflow.name);
	return id;
}

async function openRequest(): Promise<OpenRequest> {
	const { host, wallet } = place;
	let found: unknown;
	await host.until(async () => {
		await wallet.sync();
		[found] = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
		return found !== undefined;
	}, 'asking the wallet');
	return found as OpenRequest;
}

/** The person decides about the open request, and the text of its consent is returned. */
async function decide(verb: 'acceptRequest' | 'rejectRequest'): Promise<unknown> {
	const { id, content } = await openRequest();
	await place.wallet[verb](id, [{ accept: verb === 'acceptRequest' }]);
	return content.items[0]?.['consent'];
}

async function ended(workflowId: string): Promise<Execution> {
	let found: Execution | undefined;
	await place.host.until(async () => {
		[found] = await place.host.executions(workflowId);
		return found !== undefined && !['waiting', 'running', 'new'].includes(found.status);
	}, 'done');
	return found as Execution;
}

const runsOf = (execution: Execution, node: string) =>
	execution.data.resultData.runData[node] ?? [];

/** Last words of the agent: the model repeats the results of its tool calls. */
const wordsOf = (execution: Execution, agent = 'Agent'): string =>
	String(runsOf(execution, agent).at(-1)?.data?.main[0]?.[0]?.json['output']);

describe('the human review of an agent, in a real n8n', () => {
	for (const [protocol, responsesApiEnabled] of [
		['responses', true],
		['chat completions', false],
	] as const) {
		it(`runs the tool after the approval in the wallet (${protocol})`, async () => {
			const workflow = reviewed(`approve-${responsesApiEnabled}`, {}, { responsesApiEnabled });
			const id = await start(workflow, [[payment(60)]]);
			expect(await decide('acceptRequest')).toBe(
				'The agent wants to run this tool: Pay\n\nInput:\namount: 60\nrecipient: Ada',
			);
			expect(wordsOf(await ended(id))).toContain('Paid 60 to Ada');
		});
	}

	it('does not run the tool after a decline, and tells the agent', async () => {
		const id = await start(reviewed('decline'), [[payment(60)]]);
		await decide('rejectRequest');
		const execution = await ended(id);
		expect(runsOf(execution, 'Pay')).toEqual([]);
		expect(wordsOf(execution)).toContain('User rejected the tool call to Pay');
	});

	it('does not run the tool without an answer', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' },
		};
		const id = await start(reviewed('late', { options: { limitWaitTime } }), [[payment(60)]]);
		const execution = await ended(id);
		expect(runsOf(execution, 'Pay')).toEqual([]);
		expect(wordsOf(execution)).toContain('rejected');
	});

	it('asks again for the same call', async () => {
		const id = await start(reviewed('again'), [[payment(60)], [payment(60)]]);
		await decide('acceptRequest');
		await decide('rejectRequest');
		expect(runsOf(await ended(id), 'Pay')).toHaveLength(1);
	});

	it('asks for each of several calls at once', async () => {
		const calls = [payment(1), payment(2), payment(3)];
		const id = await start(reviewed('several'), [calls]);
		const asked = [];
		for (const verb of ['acceptRequest', 'rejectRequest', 'acceptRequest'] as const) {
			asked.push(await decide(verb));
		}
		expect(asked).toEqual([1, 2, 3].map((amount) => expect.stringContaining(`amount: ${amount}`)));
		const execution = await ended(id);
		const paid = runsOf(execution, 'Pay').map(({ data }) => JSON.stringify(data));
		expect(paid).toEqual([1, 3].map((amount) => expect.stringContaining(`Paid ${amount} to`)));
	});
});

describe('the tools of an agent, in a real n8n', () => {
	/** A field that the agent fills in, as the button in the editor writes it. */
	const fromAgent = (key: string): string =>
		`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, 'string') }}`;

	it('find a person, ask for data and send a mail', async () => {
		const { wallet } = place;
		const to = { __rl: true, mode: 'list', value: fromAgent('To') };
		const tools = [
			variant('enmeshedTool', 'Find', {
				resource: 'relationship',
				operation: 'getAll',
				filters: { statuses: ['Active'] },
			}),
			variant('enmeshedTool', 'Ask', {
				resource: 'outgoingRequest',
				operation: 'sendAndWait',
				to,
				message: fromAgent('Message'),
				responseType: 'request',
				askForTypes: fromAgent('Types'),
			}),
			variant('enmeshedTool', 'Write', {
				resource: 'message',
				operation: 'sendMail',
				to,
				subject: fromAgent('Subject'),
				body: fromAgent('Body'),
			}),
		];
		const ask = (Types: string): ToolCall => ({
			tool: 'Ask',
			input: { To: wallet.address, Message: 'For the contract', Types },
		});
		const mail = { To: wallet.address, Subject: 'From the agent', Body: 'Thank you' };
		const id = await start(agentWorkflow('tools', { tools, modelCredential }), [
			[{ tool: 'Find', input: {} }],
			[ask('Last Name, Emial Address')],
			[ask('Last Name, EMailAddress')],
			[{ tool: 'Write', input: mail }],
		]);

		const request = await openRequest();
		const queries = request.content.items.map(({ query }) => query);
		expect(queries).toMatchObject([{ valueType: 'Surname' }, { valueType: 'EMailAddress' }]);
		const values = [
			{ '@type': 'Surname', value: 'Lovelace' },
			{ '@type': 'EMailAddress', value: 'ada@example.com' },
		];
		const { address: owner } = wallet;
		await wallet.acceptRequest(
			request.id,
			values.map((value) => ({
				accept: true,
				newAttribute: { '@type': 'IdentityAttribute', owner, value },
			})),
		);
		await ended(id);

		const [found, refused, answered, sent] = model.requests.at(-1)?.results ?? [];
		expect(JSON.parse(found ?? '')).toMatchObject([{ peer: owner, peerName: 'Ada' }]);
		expect(refused).toContain("There is no attribute type 'Emial Address'. Similar: EMailAddress.");
		expect(JSON.parse(answered ?? '')).toEqual([
			{
				answered: true,
				timedOut: false,
				result: 'Accepted',
				answers: { Surname: 'Lovelace', EMailAddress: 'ada@example.com' },
				peer: owner,
				peerName: 'Ada Lovelace',
				requestId: request.id,
			},
		]);
		expect(JSON.parse(sent ?? '')).toMatchObject([{ subject: 'From the agent' }]);
		expect(await place.mailsAtWallet()).toContain('From the agent');
	});
});

describe('the example of an agent that asks before it pays', () => {
	const name = '12. An agent that asks before it pays';

	it('runs to its end', async () => {
		const { host, wallet, credentialId } = place;
		const examples = exampleWorkflows({ id: credentialId, name: 'Sandbox' });
		const { workflow } = examples.find((example) => example.workflow.name === name) ?? examples[0]!;
		const id = await host.createWorkflow(picked(workflow, wallet.address));
		const input = { amount: 60, recipient: 'Example Organisation' };
		model.plan = [[{ tool: 'Pay', input: { toolParameters: input, hitlParameters: {} } }]];
		await host.runManually(id, 'When clicking ‘Execute workflow’');
		expect(await decide('acceptRequest')).toBe(
			'Our assistant would like to pay 60 € to Example Organisation. Do you agree?',
		);
		const execution = await ended(id);
		expect(execution.status).toBe('success');
		expect(wordsOf(execution, 'AI Agent')).toContain('Paid 60 € to Example Organisation.');
	});

	/** The workflow after a person has done what its note says. */
	function picked(workflow: Workflow, address: string): Workflow {
		const nodes = (workflow.nodes as unknown as TestNode[]).map((node) => {
			if (node.name === 'Model') {
				return { ...node, credentials: { openAiApi: { id: modelCredential, name: 'Model' } } };
			}
			if (node.name !== 'Ask the person') return node;
			return { ...node, parameters: { ...node.parameters, to: byAddress(address) } };
		});
		return { ...workflow, nodes };
	}
});
