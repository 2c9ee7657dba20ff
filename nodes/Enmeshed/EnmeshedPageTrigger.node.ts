import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { loadImplementation } from './gateway/implementation';
import { methods } from './methods';
import { pageTriggerFields } from './page-trigger/page-trigger-fields';

/** Trigger node: shows a QR code to visitors of a page, and starts the workflow with the answer. */
// eslint-disable-next-line @n8n/community-nodes/webhook-lifecycle-complete -- browsers of visitors call it: no service has to know the address
export class EnmeshedPageTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Enmeshed Page Trigger',
		name: 'enmeshedPageTrigger',
		icon: { light: 'file:../../icons/enmeshed.svg', dark: 'file:../../icons/enmeshed.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["title"] }}',
		description:
			'Shows a page with a QR code, and starts the workflow when a visitor has answered in the wallet',
		defaults: { name: 'Enmeshed Page Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'enmeshedBackboneApi', required: true, testedBy: 'enmeshedBackboneApiTest' },
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'GET',
				responseMode: 'onReceived',
				isFullPath: true,
				path: '={{ $parameter["options"]["path"] || $webhookId }}',
				ndvHideMethod: true,
			},
		],
		eventTriggerDescription: 'Waiting for you to open the page and to answer in a wallet',
		activationMessage: 'Visitors can now open your production URL.',
		triggerPanel: {
			header: 'Show a page and start with the answer',
			executionsHelp: {
				inactive:
					"<b>While building</b>, click 'Execute step', open the test URL in a browser, and answer with a wallet within two minutes.<br /><br /><b>Once published</b>, the production URL shows the page to every visitor, and each answer starts the workflow.",
				active:
					'<b>While building</b>, click \'Execute step\', open the test URL in a browser, and answer with a wallet within two minutes.<br /><br /><b>The published workflow</b> starts with each answer on the page of the production URL. Its runs are listed under <a data-key="executions">Executions</a>.',
			},
			activationHint: 'Publish the workflow to show the page to visitors at the production URL.',
		},
		properties: pageTriggerFields,
	};

	methods = methods;

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { servePage } = await loadImplementation();
		return await servePage(this);
	}

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		const { startPageTrigger } = await loadImplementation();
		return await startPageTrigger(this);
	}

	/**
	 * Passes the answer on. Without it, n8n would start the trigger for itself in a manual test, in
	 * which the page has the answer already.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}
