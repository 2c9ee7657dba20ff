import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { Enmeshed } from '../../nodes/Enmeshed/Enmeshed.node';
import { EnmeshedPageTrigger } from '../../nodes/Enmeshed/EnmeshedPageTrigger.node';
import { EnmeshedTrigger } from '../../nodes/Enmeshed/EnmeshedTrigger.node';
import { triggerFields } from '../../nodes/Enmeshed/trigger/trigger-fields';

const folder = join(__dirname, '../../docs/examples');

const descriptions: Readonly<Record<string, INodeTypeDescription>> = {
	'n8n-nodes-enmeshed.enmeshed': new Enmeshed().description,
	'n8n-nodes-enmeshed.enmeshedPageTrigger': new EnmeshedPageTrigger().description,
	'n8n-nodes-enmeshed.enmeshedTrigger': new EnmeshedTrigger().description,
};

interface Example {
	readonly nodes: INode[];
	readonly connections: Readonly<Record<string, Record<string, Array<Array<{ node: string }>>>>>;
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.json'))
	.sort();

const read = (file: string): Example =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as Example;

const ourNodes = files.flatMap((file) =>
	read(file)
		.nodes.filter(({ type }) => type in descriptions)
		.map((node) => ({ file, name: node.name, node })),
);

/** The names of all fields that are entered as JSON, also inside of collections. */
const jsonFields = new Set(
	fieldsIn(descriptions)
		.map(({ value }) => (value ?? {}) as { type?: unknown; name?: unknown })
		.filter(({ type }) => type === 'json')
		.map(({ name }) => name),
);

describe('the example workflows', () => {
	it.each(files)('%s link nodes that there are', (file) => {
		const { nodes, connections } = read(file);
		const names = nodes.map(({ name }) => name);
		const targets = Object.values(connections).flatMap((links) => Object.values(links).flat(2));
		expect(names).toEqual(expect.arrayContaining(Object.keys(connections)));
		expect(names).toEqual(expect.arrayContaining(targets.map(({ node }) => node)));
	});

	it.each(ourNodes)('$file: $name has the fields that the host knows and shows', ({ node }) => {
		expect(Object.keys(completed(node))).toEqual(
			expect.arrayContaining(Object.keys(node.parameters)),
		);
	});

	it.each(ourNodes)('$file: $name is complete but for what has to be picked', ({ node }) => {
		const description = descriptions[node.type] as INodeTypeDescription;
		const issues = NodeHelpers.getNodeParametersIssues(
			description.properties,
			{ ...node, parameters: completed(node) },
			description,
		);
		const toPick = fieldsIn(node.parameters)
			.filter(({ value }) => (value as { value?: unknown } | null)?.value === '')
			.map(({ name }) => name);
		expect(Object.keys(issues?.parameters ?? {})).toEqual(toPick);
	});

	it.each(ourNodes)('$file: $name has no field that wants JSON filled in', ({ node }) => {
		const names = fieldsIn(node.parameters).map(({ name }) => name);
		expect(names.filter((name) => jsonFields.has(name))).toEqual([]);
	});

	it('start by events that exist', () => {
		const offered = (triggerFields[0]?.options ?? []).map(
			(option) => 'value' in option && option.value,
		);
		const events = ourNodes.flatMap(({ node }) => (node.parameters['events'] ?? []) as string[]);
		expect(events.length).toBeGreaterThan(0);
		for (const event of events) expect(offered).toContain(event);
	});
});

/** Everything in an object with its name, at any depth. */
function fieldsIn(object: object): Array<{ name: string; value: unknown }> {
	return Object.entries(object).flatMap(([name, value]: [string, unknown]) => [
		{ name, value },
		...(typeof value === 'object' && value !== null ? fieldsIn(value) : []),
	]);
}

/** The parameters as the host has them: with defaults, without what it does not know or show. */
function completed(node: INode): INodeParameters {
	const description = descriptions[node.type] as INodeTypeDescription;
	const { properties } = description;
	return NodeHelpers.getNodeParameters(
		properties,
		node.parameters,
		true,
		false,
		node,
		description,
	) as INodeParameters;
}
