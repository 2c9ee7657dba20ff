import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { N8nApi, Workflow } from '../n8n/n8n-api';

/** Example workflows in the order for newcomers, in importable form. */
const files = [
	'show-a-qr-code.json',
	'welcome-the-person.json',
	'answer-mails.json',
	'ask-connected-people.json',
	'tell-about-a-new-name.json',
	'enter-your-name.json',
	'ask-new-customers.json',
	'greet-new-customers.json',
	'log-in-with-the-wallet.json',
	'onboarding-form.json',
	'ask-for-consent.json',
	'an-agent-that-asks-before-it-pays.json',
	'new-customers-into-a-table.json',
	'look-a-customer-up-and-write.json',
	'ask-several-people.json',
];

/** Workflows of the first steps, which are published at the start. */
const published = [
	'welcome-the-person.json',
	'answer-mails.json',
	'new-customers-into-a-table.json',
];

const folder = join(__dirname, '..', '..', 'docs', 'examples');

export interface ExampleWorkflow {
	readonly workflow: Workflow;
	/** true if it is published at the start */
	readonly isPublished: boolean;
}

/** Example workflows with their nodes bound to the given credential. */
export function exampleWorkflows(credential: { id: string; name: string }): ExampleWorkflow[] {
	return files.map((file) => {
		const workflow = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
		const nodes = workflow.nodes.map((node) =>
			'credentials' in node ? { ...node, credentials: { enmeshedBackboneApi: credential } } : node,
		);
		return { workflow: { ...workflow, nodes }, isPublished: published.includes(file) };
	});
}

/**
 * Adds missing example workflows; workflows that the person has changed are kept. The last one is
 * added first, because n8n lists the newest at the top.
 *
 * @returns ids by name
 */
export async function putExamples(
	n8n: N8nApi,
	credential: { id: string; name: string },
): Promise<Map<string, string>> {
	const present = await n8n.workflows();
	const ids = new Map<string, string>();
	for (const { workflow, isPublished } of exampleWorkflows(credential).toReversed()) {
		let id = present.get(workflow.name);
		if (id === undefined) {
			id = await n8n.createWorkflow(workflow);
			if (isPublished) await n8n.publish(id);
		}
		ids.set(workflow.name, id);
	}
	return ids;
}
