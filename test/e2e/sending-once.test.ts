import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ModelStub } from '../support/n8n/model-stub';
import type { Workflow } from '../support/n8n/n8n-host';
import { testsIn } from './support/n8n-test';
import { OnboardedHost } from './support/onboarded-host';
import {
	byAddress,
	byId,
	enmeshedNode,
	sendMail,
	workflowOf,
	type TestNode,
} from './support/workflow-builder';

jest.setTimeout(600_000);

/** Counts the attempts of a workflow that asks it. */
class AttemptCounter {
	attempts = 0;

	private constructor(private readonly server: Server) {}

	static async open(): Promise<AttemptCounter> {
		const server = createServer((_incoming, outgoing) => {
			outgoing.setHeader('content-type', 'application/json');
			outgoing.end(JSON.stringify({ attempt: ++counter.attempts }));
		});
		const counter = new AttemptCounter(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return counter;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

const code = (name: string, jsCode: string): TestNode => ({
	name,
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode },
});

/** Items in the reverse order at every second attempt. */
const shifted = (name: string, subjects: readonly string[]): TestNode =>
	code(
		name,
		`const items = ${JSON.stringify(subjects)}.map((subject) => ({ json: { subject } }));
return $('Attempt').first().json.attempt % 2 === 0 ? items.reverse() : items;`,
	);

describe('an event whose execution fails after it has sent, in a real n8n', () => {
	let place: OnboardedHost;
	let model: ModelStub;
	let counter: AttemptCounter;
	const it = testsIn(() => place?.host, 300_000);

	beforeAll(async () => {
		model = await ModelStub.open();
		counter = await AttemptCounter.open();
		place = await OnboardedHost.open();
	});

	afterAll(async () => {
		await model?.close();
		await counter?.close();
		await place?.close();
	});

	const mailTo = (name: string, subject: string, settings: object = {}): TestNode => ({
		...sendMail(place.credentialId, place.wallet.address, subject, settings),
		name,
	});

	/** Sends in every way, and fails at its end in the first attempt. */
	function sendsAndFails(subWorkflowId: string, modelCredential: string): Workflow {
		const { credentialId } = place;
		const credentials = { enmeshedBackboneApi: { id: credentialId, name: 'Sandbox' } };
		const trigger: TestNode = {
			name: 'Mail',
			type: 'n8n-nodes-enmeshed.enmeshedTrigger',
			typeVersion: 1,
			credentials,
			parameters: {
				events: ['transport.messageReceived'],
				options: { startFrom: 'now', syncIntervalSeconds: 10, maxAttempts: 2 },
			},
		};
		const attempt: TestNode = {
			name: 'Attempt',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url: counter.url, options: {} },
		};
		const loop: TestNode = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { options: {} },
		};
		const once = { executeOnce: true };
		const subWorkflow: TestNode = {
			name: 'Sub-workflow',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: {
				workflowId: byId(subWorkflowId),
				workflowInputs: { mappingMode: 'defineBelow', value: {} },
				options: {},
			},
			...once,
		};
		const agent: TestNode = {
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { promptType: 'define', text: 'Do it', options: {} },
		};
		const languageModel: TestNode = {
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.3,
			credentials: { openAiApi: { id: modelCredential, name: 'Model' } },
			parameters: { model: byId('stub'), options: {} },
		};
		const tool: TestNode = {
			...enmeshedNode('Write', credentialId, {
				resource: 'message',
				operation: 'sendMail',
				to: byAddress(place.wallet.address),
				subject: "={{ $fromAI('subject', 'the subject') }}",
				body: 'text',
				additionalFields: {},
			}),
			type: 'n8n-nodes-enmeshed.enmeshedTool',
		};
		const fail = code(
			'Fail',
			`if ($('Attempt').first().json.attempt < 2) throw new Error('not yet'); return $input.all();`,
		);
		const workflow = workflowOf(
			'Send and fail',
			[
				trigger,
				attempt,
				shifted('List', ['list-a', 'list-b', 'list-b']),
				mailTo('Send', '={{ $json.subject }}'),
				{ ...shifted('Loop list', ['loop-a', 'loop-b', 'loop-b']), ...once },
				loop,
				mailTo('Send in loop', '={{ $json.subject }}'),
				subWorkflow,
				agent,
				fail,
				languageModel,
				tool,
			],
			{ Loop: ['Sub-workflow', 'Send in loop'], 'Send in loop': ['Loop'] },
		);
		const link = (type: string): object => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
		const { Fail: _fail, ...connections } = workflow.connections as Record<string, object>;
		return {
			...workflow,
			connections: {
				...connections,
				Model: link('ai_languageModel'),
				Write: link('ai_tool'),
			},
		};
	}

	it('sends each mail once: from lists in another order, loops, sub-workflows and tools', async () => {
		const { host, wallet, gateway } = place;
		const called: TestNode = {
			name: 'Called',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		};
		const nothing = code('Nothing', 'return [{ json: {} }];');
		const subId = await host.createWorkflow(
			workflowOf('Called workflow', [called, nothing, mailTo('Send', 'sub-workflow')]),
		);
		await host.publish(subId);
		const created = await host.api('POST', '/credentials', {
			name: 'Model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.url, header: false, allowedHttpRequestDomains: 'all' },
		});
		model.plan = [[{ tool: 'Write', input: { subject: 'tool' } }]];
		const id = await host.createWorkflow(sendsAndFails(subId, (created as { id: string }).id));
		const before = await place.mailsAtWallet();
		await host.publish(id);
		await wallet.sendMail(gateway, 'begin', 'work');
		const statuses = async () => (await host.executions(id)).map(({ status }) => status);
		await host.until(async () => (await statuses()).includes('success'), 'done', 200_000);
		expect((await statuses()).sort()).toEqual(['error', 'success']);
		expect((await place.mailsAtWallet()).slice(before.length).sort()).toEqual([
			'list-a',
			'list-b',
			'list-b',
			'loop-a',
			'loop-b',
			'loop-b',
			'sub-workflow',
			'tool',
		]);
	});
});
