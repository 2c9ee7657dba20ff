import type { Workflow } from '../../support/n8n/n8n-host';
import { webhook, workflowOf, type TestNode } from './workflow-builder';

interface AgentTools {
	/** tools of the agent, and nodes that review the calls of tools */
	readonly tools: readonly TestNode[];
	/** reviewing nodes by the tools whose calls they review */
	readonly reviewers?: Readonly<Record<string, string>>;
	/** id of the credential of the model */
	readonly modelCredential: string;
	readonly modelParameters?: object;
}

/** A webhook that starts an agent with its model and its tools. */
export function agentWorkflow(name: string, options: AgentTools): Workflow {
	const { tools, reviewers = {}, modelCredential, modelParameters } = options;
	const agent: TestNode = {
		name: 'Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: 3.1,
		parameters: { promptType: 'define', text: 'Do it', options: {} },
	};
	const model: TestNode = {
		name: 'Model',
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.3,
		credentials: { openAiApi: { id: modelCredential, name: 'Model' } },
		parameters: {
			model: { __rl: true, mode: 'id', value: 'stub' },
			options: {},
			...modelParameters,
		},
	};
	const link = (node: string, type: string): object => ({ [type]: [[{ node, type, index: 0 }]] });
	return {
		...workflowOf(name, [webhook(name, 'onReceived'), agent, model, ...tools]),
		connections: {
			Webhook: link('Agent', 'main'),
			Model: link('Agent', 'ai_languageModel'),
			...Object.fromEntries(
				tools.map((tool) => [tool.name, link(reviewers[tool.name] ?? 'Agent', 'ai_tool')]),
			),
		},
	};
}
