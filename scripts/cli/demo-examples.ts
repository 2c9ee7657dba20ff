import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import answerMails from '../../docs/examples/answer-mails.json';
import customersIntoTable from '../../docs/examples/new-customers-into-a-table.json';
import showQrCode from '../../docs/examples/show-a-qr-code.json';
import welcomeThePerson from '../../docs/examples/welcome-the-person.json';
import { UsageError } from './usage-error';

interface WorkflowNode {
	readonly id: string;
	readonly name: string;
	readonly type: string;
	readonly position: readonly number[];
	readonly parameters: object;
}

export interface ExampleWorkflow {
	readonly name: string;
	readonly nodes: readonly WorkflowNode[];
	readonly connections: object;
}

/** Name of the credential that the examples refer to; n8n finds it by the name. */
export const exampleCredentialName = 'Sandbox Backbone';

/** Examples that can be published together; one workflow has one manual trigger. */
const examples: readonly ExampleWorkflow[] = [
	showQrCode,
	welcomeThePerson,
	answerMails,
	customersIntoTable,
];

/** id of the workflow in n8n, so that `n8n import:workflow` replaces what it has imported before */
const workflowId = 'enmeshedExamples';
const noteType = 'n8n-nodes-base.stickyNote';
const gap = 80;

/**
 * All examples below each other in one workflow: the editor imports a single workflow from a file,
 * and `n8n import:workflow` takes the same form.
 */
export function examplesInOneWorkflow(): ExampleWorkflow & { readonly id: string } {
	const nodes: WorkflowNode[] = [];
	let top = 0;
	for (const [index, example] of examples.entries()) {
		const { first, last } = extentOf(example);
		nodes.push(...example.nodes.map((node) => placed(node, index, top - first, example.name)));
		top += last - first + gap;
	}
	const connections = Object.assign(
		{},
		...examples.map((example) => example.connections),
	) as object;
	return {
		id: workflowId,
		name: 'Enmeshed examples',
		nodes,
		connections,
		...{ settings: { executionOrder: 'v1' } },
	};
}

/**
 * Writes the examples for n8n's import.
 *
 * @throws UsageError if the file cannot be written, or has other contents
 */
export function writeExamples(file: string): void {
	if (existsSync(file) && !isOwnFile(file)) {
		throw new UsageError(
			`'${file}' exists and has other contents. Choose another file with --examples.`,
		);
	}
	try {
		writeFileSync(file, `${JSON.stringify(examplesInOneWorkflow(), undefined, 2)}\n`);
	} catch (error) {
		throw new UsageError(
			`'${file}' cannot be written (${(error as NodeJS.ErrnoException).code}). ` +
				'Choose another file with --examples.',
			{ cause: error },
		);
	}
}

function isOwnFile(file: string): boolean {
	try {
		return (JSON.parse(readFileSync(file, 'utf8')) as { id?: unknown }).id === workflowId;
	} catch {
		return false;
	}
}

/** Topmost and lowest edge of an example; its notes frame the other nodes. */
function extentOf({ nodes }: ExampleWorkflow): { readonly first: number; readonly last: number } {
	const tops = nodes.map(({ position }) => position[1] ?? 0);
	const bottoms = nodes.map(({ position, parameters }) => {
		const { height = 0 } = parameters as { height?: number };
		return (position[1] ?? 0) + height;
	});
	return { first: Math.min(...tops), last: Math.max(...bottoms) };
}

/** Moves a node, and makes its id unique. All notes have the same name, which nothing refers to. */
function placed(
	node: WorkflowNode,
	index: number,
	down: number,
	workflowName: string,
): WorkflowNode {
	const moved = {
		...node,
		id: `${node.id}-${index + 1}`,
		position: [node.position[0] ?? 0, (node.position[1] ?? 0) + down],
	};
	if (node.type !== noteType) return moved;
	const { content, ...parameters } = node.parameters as { content: string };
	// With several triggers, the editor's own button executes another one.
	const reworded = content
		.replace(/^## .*/, `## ${workflowName}`)
		.replace(
			'Press **Execute workflow**',
			'Point at the first node, press **Execute workflow** beside it',
		);
	return {
		...moved,
		name: `${node.name} ${index + 1}`,
		parameters: { ...parameters, content: reworded },
	};
}
