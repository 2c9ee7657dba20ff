import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
} from 'n8n-workflow';
import { loadImplementation } from './gateway/implementation';
import { methods } from './methods';
import { sampleHints } from './trigger/event-samples';
import { eventLabels } from './trigger/trigger-events';
import { nodeDescription, searchHint } from './descriptions/node-description';
import { triggerFields } from './trigger/trigger-fields';

/** Trigger node: starts workflows on events of the gateway. */
export class EnmeshedTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Enmeshed Trigger',
		name: 'enmeshedTrigger',
		icon: { light: 'file:../../icons/enmeshed.svg', dark: 'file:../../icons/enmeshed.dark.svg' },
		group: ['trigger'],
		// In version 1, 'Message Received' also starts the workflow for requests, responses and
		// notifications.
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: `={{ $parameter["events"].map((event) => (${JSON.stringify(eventLabels)})[event]).join(", ") }}`,
		// The node panel shows the node and its trigger as one, with the description of the trigger.
		description: nodeDescription,
		builderHint: { searchHint },
		defaults: { name: 'Enmeshed Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'enmeshedBackboneApi', required: true, testedBy: 'enmeshedBackboneApiTest' },
		],
		eventTriggerDescription: 'Waiting for an event, for example a scanned QR code or a message',
		activationMessage: 'Each event now starts this workflow.',
		triggerPanel: {
			header: 'Get a sample event',
			executionsHelp: {
				inactive:
					"<b>While building</b>, click 'Execute step': you get the newest stored event that fits, or the next one to arrive.<br /><br /><b>Once published</b>, the workflow listens all the time and runs for every event. A test takes no event away from it.",
				active:
					'<b>While building</b>, click \'Execute step\': you get the newest stored event that fits, or the next one to arrive. It is not taken away from the published workflow.<br /><br /><b>The published workflow</b> listens all the time. Its runs are listed under <a data-key="executions">Executions</a>.',
			},
			activationHint:
				'A test shows one event only. Publish the workflow to react to every event as it happens.',
		},
		hints: sampleHints,
		properties: triggerFields,
	};

	methods = methods;

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		const { startTrigger } = await loadImplementation();
		return await startTrigger(this);
	}
}
