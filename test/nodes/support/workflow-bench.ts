import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	NodeConnectionTypes,
	Workflow,
	type IBinaryKeyData,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { Enmeshed } from '../../../nodes/Enmeshed/Enmeshed.node';

const main = NodeConnectionTypes.Main;

const describeNode = (name: string, properties: INodeType['description']['properties'] = []) => ({
	displayName: name,
	name,
	group: ['transform' as const],
	version: 1,
	description: '',
	defaults: { name },
	inputs: [main],
	outputs: [main],
	properties,
});

/** Gives the items that a test wants. */
const source = ({ items, binary }: WorkflowOptions): INodeType => ({
	description: describeNode('source'),
	execute: async () => [
		items.map((json, item) => ({
			json,
			pairedItem: { item },
			...(binary === undefined ? {} : { binary }),
		})),
	],
});

/** Shows what an expression that goes back over item links sees. */
const following: INodeType = {
	description: describeNode('following', [
		{ displayName: 'Seen', name: 'seen', type: 'string', default: '' },
	]),
	async execute(this: IExecuteFunctions) {
		return [
			this.getInputData().map((item, index) => ({
				json: { ...item.json, seen: this.getNodeParameter('seen', index) as string },
				pairedItem: { item: index },
			})),
		];
	},
};

export interface WorkflowOptions {
	readonly items: readonly IDataObject[];
	/** of every item */
	readonly binary?: IBinaryKeyData;
	readonly parameters: IDataObject;
	readonly credential: IDataObject;
	readonly node?: Partial<INode>;
	readonly executionId?: string;
	readonly onStart?: (stop: () => void) => void;
}

export interface WorkflowResult {
	readonly run: IRun;
	/** what the node after ours got, by our output */
	readonly succeeded: INodeExecutionData[];
	readonly failed: INodeExecutionData[];
}

let nextExecution = 1;

/** Source → Enmeshed → Following, run by the engine of n8n itself. */
export async function runWorkflow(options: WorkflowOptions): Promise<WorkflowResult> {
	const workflow = buildWorkflow(options);
	const executionId = options.executionId ?? String(nextExecution++);
	const additionalData = buildAdditionalData(options.credential, executionId);
	const execution = new WorkflowExecute(additionalData, 'manual', createRunExecutionData());
	const startNode = workflow.getNode('Source');
	if (startNode === null) throw new Error('The workflow has no start');
	const running = execution.run({ workflow, startNode });
	options.onStart?.(() => running.cancel());
	const run = await running;
	const outputOf = (name: string) =>
		run.data.resultData.runData[name]?.[0]?.data?.['main']?.[0] ?? [];
	return { run, succeeded: outputOf('Following'), failed: outputOf('Failed') };
}

/** A home folder for the engine's settings, so that nothing of the user's is touched. */
export function useTemporaryHome(): () => void {
	const folder = mkdtempSync(join(tmpdir(), 'enmeshed-n8n-home-'));
	process.env['N8N_USER_FOLDER'] = folder;
	return () => rmSync(folder, { recursive: true, force: true });
}

function buildWorkflow(options: WorkflowOptions): Workflow {
	const node = (name: string, type: string, more: Partial<INode> = {}): INode => ({
		id: `id-of-${name}`,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...more,
	});
	const seen = '={{ $("Source").item.json.name }}';
	const types: Record<string, INodeType> = {
		source: source(options),
		following,
		'n8n-nodes-enmeshed.enmeshed': new Enmeshed(),
	};
	const nodeTypes: INodeTypes = {
		getByName: (type) => types[type] as INodeType,
		getByNameAndVersion: (type) => types[type] as INodeType,
		getKnownTypes: () => ({}),
	};
	const to = (name: string) => [{ node: name, type: main, index: 0 }];
	return new Workflow({
		id: 'workflow1',
		active: false,
		nodeTypes,
		nodes: [
			node('Source', 'source'),
			node('Enmeshed', 'n8n-nodes-enmeshed.enmeshed', {
				parameters: options.parameters as INode['parameters'],
				credentials: { enmeshedBackboneApi: { id: 'credential1', name: 'Test' } },
				...options.node,
			}),
			node('Following', 'following', { parameters: { seen } }),
			node('Failed', 'following', { parameters: { seen } }),
		],
		connections: {
			Source: { main: [to('Enmeshed')] },
			Enmeshed: { main: [to('Following'), to('Failed')] },
		},
		settings: { executionOrder: 'v1' },
	});
}

function buildAdditionalData(
	credential: IDataObject,
	executionId: string,
): IWorkflowExecuteAdditionalData {
	const hooks = new ExecutionLifecycleHooks('manual', executionId, {} as IWorkflowBase);
	return {
		executionId,
		hooks,
		currentNodeExecutionIndex: 0,
		restApiUrl: '',
		instanceBaseUrl: '',
		webhookBaseUrl: '',
		webhookWaitingBaseUrl: 'http://localhost/waiting',
		formWaitingBaseUrl: 'http://localhost/form',
		variables: {},
		credentialsHelper: {
			isCredentialUsableByNode: () => true,
			getParentTypes: () => [],
			getDecrypted: async () => structuredClone(credential),
			getCredentialsProperties: () => [],
		},
	} as unknown as IWorkflowExecuteAdditionalData;
}
