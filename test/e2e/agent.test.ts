import { ModelStub } from '../support/n8n/model-stub';
import type { Execution, Workflow } from '../support/n8n/n8n-host';
import { testsIn } from './n8n-test';
import { OnboardedHost } from './onboarded-host';
import { byAddress, enmeshedNode, webhook, workflowOf, type TestNode } from './workflow-builder';

import { appendFileSync } from 'node:fs';
const out = (...a: unknown[]) => appendFileSync('/tmp/agents-out.txt', a.join(' ') + '\n');
jest.setTimeout(600_000);

describe('AI agents in a real n8n', () => {
	let place: OnboardedHost;
	let model: ModelStub;
	let modelCredential: string;
	const it = testsIn(() => place?.host, 45_000);

	beforeAll(async () => {
		place = await OnboardedHost.open();
		model = await ModelStub.open();
		const data = { apiKey: 'none', url: model.url, header: false, allowedHttpRequestDomains: 'all' };
		const body = { name: 'Model', type: 'openAiApi', data };
		const { id } = (await place.host.api('POST', '/credentials', body)) as { id: string };
		modelCredential = id;
	});

	afterAll(async () => {
		await model?.close();
		await place?.close();
	});

	const link = (node: string, type: string) => [[{ node, type, index: 0 }]];

	/** An agent with its model; `tools` are linked to it, and to what reviews them. */
	function agentWith(
		name: string,
		tools: readonly TestNode[],
		reviewed: Readonly<Record<string, string>> = {},
		modelParameters: object = {},
	): Workflow {
		const agent = {
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { promptType: 'define', text: 'Pay', options: {} },
		};
		const llm = {
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.3,
			credentials: { openAiApi: { id: modelCredential, name: 'Model' } },
			parameters: { model: { __rl: true, mode: 'id', value: 'stub' }, options: {}, ...modelParameters },
		};
		const main = workflowOf(name, [webhook(name, 'onReceived'), agent, llm, ...tools]);
		return {
			...main,
			connections: {
				Webhook: { main: link('Agent', 'main') },
				Model: { ai_languageModel: link('Agent', 'ai_languageModel') },
				...Object.fromEntries(
					tools.map((tool) => [
						tool.name,
						{ ai_tool: link(reviewed[tool.name] ?? 'Agent', 'ai_tool') },
					]),
				),
			},
		};
	}

	const review = (parameters: object = {}) => ({
		...enmeshedNode('Review', place.credentialId, {
			to: byAddress(place.wallet.address),
			...parameters,
		}),
		type: 'n8n-nodes-enmeshed.enmeshedHitlTool',
	});

	const tool = (name: string, parameters: object) => ({
		...enmeshedNode(name, place.credentialId, parameters),
		type: 'n8n-nodes-enmeshed.enmeshedTool',
	});

	const pay = {
		name: 'Pay',
		type: '@n8n/n8n-nodes-langchain.toolCode',
		typeVersion: 1.3,
		parameters: {
			description: 'Pays an amount',
			jsCode: 'return `paid ${query.amount} to ${query.recipient}`;',
			specifyInputSchema: true,
			jsonSchemaExample: '{ "amount": 60, "recipient": "Ada" }',
		},
	};

	const aPayment = { toolParameters: { amount: 60, recipient: 'Ada' }, hitlParameters: {} };

	async function start(workflow: Workflow): Promise<string> {
		const { host } = place;
		const id = await host.createWorkflow(workflow);
		await host.publish(id);
		await host.webhook(workflow.name);
		return id;
	}

	async function openRequest(): Promise<{ id: string; content: { title?: string; items: object[] } }> {
		const { host, wallet } = place;
		let found: unknown;
		await host.until(async () => {
			await wallet.sync();
			[found] = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
			return found !== undefined;
		}, 'asking the wallet');
		return found as never;
	}

	async function ended(workflowId: string): Promise<Execution> {
		let found: Execution | undefined;
		await place.host.until(async () => {
			[found] = await place.host.executions(workflowId);
			return found !== undefined && !['waiting', 'running', 'new'].includes(found.status);
		}, 'done');
		return found as Execution;
	}

	const outputOf = ({ data }: Execution): unknown =>
		data.resultData.runData['Agent']?.at(-1)?.data?.main[0]?.[0]?.json;

	for (const responsesApiEnabled of [true, false]) {
	it('approve ' + responsesApiEnabled, async () => {
		model.plan = [[{ tool: 'Pay', input: aPayment }]];
		const id = await start(agentWith('approve' + responsesApiEnabled, [pay, review()], { Pay: 'Review' }, { responsesApiEnabled }));
		const request = await openRequest();
		out(JSON.stringify(request.content, null, 1), JSON.stringify(model.requests, null, 1));
		await place.wallet.acceptRequest(request.id, [{ accept: true }]);
		const execution = await ended(id);
		out(JSON.stringify(execution.data.resultData, null, 1));
		out(JSON.stringify(outputOf(execution)));
	});
	}

	it('decline', async () => {
		model.plan = [[{ tool: 'Pay', input: aPayment }]];
		const id = await start(agentWith('decline', [pay, review()], { Pay: 'Review' }));
		const request = await openRequest();
		await place.wallet.rejectRequest(request.id, [{ accept: false }]);
		const execution = await ended(id);
		out(Object.keys(execution.data.resultData.runData));
		out(JSON.stringify(outputOf(execution)));
	});

	it('two calls at once, then the same again', async () => {
		const two = { tool: 'Pay', input: { toolParameters: { amount: 5, recipient: 'Bob' }, hitlParameters: {} } };
		model.plan = [[{ tool: 'Pay', input: aPayment }, two], [two]];
		const id = await start(agentWith('two', [pay, review()], { Pay: 'Review' }));
		for (const verb of ['acceptRequest', 'rejectRequest', 'acceptRequest'] as const) {
		const request = await openRequest();
		out(verb, JSON.stringify(request.content));
		await place.wallet[verb](request.id, [{ accept: verb === 'acceptRequest' }]);
		await new Promise((r) => setTimeout(r, 6000));
		const [e] = await place.host.executions(id);
		out(e?.status, JSON.stringify({ ...e?.data.resultData.runData, Model: 0 }, null, 1), JSON.stringify(model.requests.at(-1)?.results));
		}
		const execution = await ended(id);
		out(JSON.stringify(outputOf(execution)));
	});

	it('tool', async () => {
		const find = tool('Find', { resource: 'relationship', operation: 'getAll', filters: { statuses: ['Active'] } });
		const askTool = tool('Ask', { resource: 'outgoingRequest', operation: 'sendAndWait',
			to: byAddress("={{ $fromAI('address', 'address of the person') }}"), message: "={{ $fromAI('question') }}", responseType: 'request',
			requestItems: { items: [{ kind: 'askFor', valueType: "={{ $fromAI('type') }}" }] } });
		const mail = tool('Mail', { resource: 'message', operation: 'sendMail', to: byAddress("={{ $fromAI('address', 'address of the person') }}"),
			subject: "={{ $fromAI('subject') }}", body: "={{ $fromAI('body') }}" });
		const address = place.wallet.address;
		model.plan = [[{ tool: 'Find', input: {} }], [{ tool: 'Ask', input: { address, question: 'Tell us', type: 'Surname' } }], [{ tool: 'Mail', input: { address, subject: 'Hi', body: 'You' } }]];
		model.requests.length = 0;
		const id = await start(agentWith('tool', [find, askTool, mail]));
		const request = await openRequest();
		out(JSON.stringify(request.content));
		const value = { '@type': 'Surname', value: 'Lovelace' };
		const newAttribute = { '@type': 'IdentityAttribute', owner: address, value };
		await place.wallet.acceptRequest(request.id, [{ accept: true, newAttribute }]);
		const execution = await ended(id);
		out(JSON.stringify(execution.data.resultData, null, 1).slice(0, 9000));
		out(JSON.stringify(model.requests, null, 1));
	});
});
