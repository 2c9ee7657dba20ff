import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { actionProperties } from './actions/properties';
import { nodeDescription, searchHint } from './descriptions/node-description';
import { loadImplementation } from './gateway/implementation';
import { methods } from './methods';

/** Addresses that resume a waiting execution. Only POST resumes: robots follow links with GET. */
const waitingWebhooks = (['GET', 'POST'] as const).map((httpMethod): IWebhookDescription => ({
	name: 'default',
	httpMethod,
	responseMode: 'onReceived',
	responseData: '',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
}));

/** Action node: one step of a workflow that uses the gateway. */
export class Enmeshed implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Enmeshed',
		name: 'enmeshed',
		icon: { light: 'file:../../icons/enmeshed.svg', dark: 'file:../../icons/enmeshed.dark.svg' },
		group: ['transform'],
		version: 1,
		// Of the long names of waiting operations, only the last word of the resource fits below the
		// node.
		subtitle:
			'={{ ($parameter["operation"].replace("getAll", "getMany") + ": " + $parameter["resource"]).replace(/(AndWait:) [a-z]+(?=[A-Z])/, "$1").replace(/([A-Z])/g, " $1").toLowerCase() }}',
		description: nodeDescription,
		builderHint: { searchHint },
		defaults: { name: 'Enmeshed' },
		usableAsTool: true,
		sensitiveOutputFields: ['ownershipToken', 'passwordProtection.password'],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'enmeshedBackboneApi', required: true, testedBy: 'enmeshedBackboneApiTest' },
		],
		webhooks: waitingWebhooks,
		properties: actionProperties(),
	};

	methods = methods;

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { resumeExecution } = await loadImplementation();
		return await resumeExecution.call(this);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { router } = await loadImplementation();
		return await router.call(this);
	}
}
