import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow } from '../n8n/n8n-api';

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
	'an-agent-that-asks-before-it-pays.json',
];

/**
 * Workflows of the first steps. The others listen to the same events, so the notes in them say when
 * to publish them.
 */
const published = ['welcome-the-person.json', 'answer-mails.json'];

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
