import type { Workflow } from '../../support/n8n/n8n-host';

/** One node of a workflow under test; its name is how results are found. */
export interface TestNode {
	readonly name: string;
	readonly type: string;
	readonly typeVersion: number;
	readonly parameters: object;
	readonly [setting: string]: unknown;
}

/** Nodes one after another; `branches` adds further links from the outputs of a node. */
export function workflowOf(
	name: string,
	nodes: readonly TestNode[],
	branches: Readonly<Record<string, readonly string[]>> = {},
): Workflow {
	const connections: Record<string, object> = {};
	for (const [index, node] of nodes.entries()) {
		const next = nodes[index + 1];
		const targets = branches[node.name] ?? (next === undefined ? [] : [next.name]);
		connections[node.name] = {
			main: targets.map((target) => [{ node: target, type: 'main', index: 0 }]),
		};
	}
	return {
		name,
		nodes: nodes.map((node, index) => ({
			id: `${name}-${index}`,
			position: [index * 220, 0],
			...node,
		})),
		connections,
	};
}

export function webhook(path: string, responseMode = 'lastNode'): TestNode {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { path, httpMethod: 'POST', responseMode, options: {} },
	};
}

export function manualStart(): TestNode {
	return {
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	};
}

/** Makes one item of each given object. */
export function items(values: readonly object[]): TestNode {
	const jsCode = `return ${JSON.stringify(values.map((json) => ({ json })))};`;
	return { name: 'Items', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
}

export function enmeshedNode(
	name: string,
	credentialId: string,
	parameters: object,
	settings: object = {},
): TestNode {
	return {
		name,
		type: 'n8n-nodes-enmeshed.enmeshed',
		typeVersion: 1,
		credentials: { enmeshedBackboneApi: { id: credentialId, name: 'Sandbox' } },
		parameters,
		...settings,
	};
}

export function sendMail(
	credentialId: string,
	to: string,
	subject: string,
	settings: object = {},
): TestNode {
	const parameters = {
		resource: 'message',
		operation: 'sendMail',
		to: byAddress(to),
		subject,
		body: 'text',
		additionalFields: {},
	};
	return enmeshedNode('Send', credentialId, parameters, settings);
}

/** A following node that looks back at the items by their links. */
export function lookBack(expression: string): TestNode {
	return {
		name: 'Look Back',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			mode: 'raw',
			jsonOutput: `={{ JSON.stringify({ found: ${expression} }) }}`,
			options: {},
		},
	};
}

export const byId = (value: string): object => ({ __rl: true, mode: 'id', value });

export const byAddress = (value: string): object => ({ __rl: true, mode: 'address', value });
