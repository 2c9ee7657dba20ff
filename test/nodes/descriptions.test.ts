import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { EnmeshedBackboneApi } from '../../credentials/EnmeshedBackboneApi.credentials';
import { eventCatalogue } from '../../core';
import { Enmeshed } from '../../nodes/Enmeshed/Enmeshed.node';
import { EnmeshedPageTrigger } from '../../nodes/Enmeshed/EnmeshedPageTrigger.node';
import { EnmeshedTrigger } from '../../nodes/Enmeshed/EnmeshedTrigger.node';
import { identityTypes } from '../../nodes/Enmeshed/descriptions/attribute-types';
import { findOperation } from '../../nodes/Enmeshed/actions/resources';
import { generateSchemas } from '../../nodes/Enmeshed/schemas/generate-schemas';
import { failingRows } from '../support/failing-rows';
import { eventChoices, eventNamesOf } from '../../nodes/Enmeshed/trigger/trigger-events';

const node = new Enmeshed();
const trigger = new EnmeshedTrigger();
const pageTrigger = new EnmeshedPageTrigger();
const root = join(__dirname, '../..');

const optionsOf = (property: INodeProperties): INodePropertyOptions[] =>
	(property.options ?? []) as INodePropertyOptions[];

const resources = optionsOf(
	node.description.properties.find(({ name }) => name === 'resource') as INodeProperties,
).map(({ value }) => String(value));

const operationProperties = node.description.properties.filter(({ name }) => name === 'operation');

const operations = operationProperties.flatMap((property) =>
	optionsOf(property).map((option) => ({
		resource: String(property.displayOptions?.show?.['resource']?.[0]),
		operation: String(option.value),
		option,
	})),
);

const namedOperations = operations.map(
	(entry) => [`${entry.resource}.${entry.operation}`, entry] as const,
);

/** Every property, those inside collections included. */
function allProperties(properties: readonly INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...(property.options ?? []).flatMap((option) => {
			if ('values' in option) return allProperties(option.values);
			return 'displayName' in option && 'type' in option ? allProperties([option]) : [];
		}),
	]);
}

const named = (all: readonly INodeProperties[]) =>
	all.map((property) => [property.name, property] as const);
const everyProperty = named([
	...allProperties(node.description.properties),
	...allProperties(trigger.description.properties),
	...allProperties(pageTrigger.description.properties),
	...allProperties(new EnmeshedBackboneApi().properties),
]);

// The node panel looks for a property with this display name and lists its options.
const eventsField = trigger.description.properties.find(
	({ displayName }) => displayName === 'Events',
) as INodeProperties;

describe('the operations of the node', () => {
	it('stand in exactly one property for each resource', () => {
		const shown = operationProperties.map(
			({ displayOptions }) => displayOptions?.show?.['resource'],
		);
		expect(shown.sort()).toEqual(resources.map((resource) => [resource]).sort());
	});

	it('come in the order in which people look for them, in groups', () => {
		const panel = operations
			.toSorted((a, b) => resources.indexOf(a.resource) - resources.indexOf(b.resource))
			.map(({ resource, operation }) => `${resource}.${operation}`);
		expect(panel).toEqual([
			'relationshipTemplate.create',
			'relationshipTemplate.sendAndWait',
			'relationshipTemplate.createLetters',
			'relationshipTemplate.getUnanswered',
			'relationshipTemplate.getAll',
			'relationshipTemplate.get',
			'relationshipTemplate.delete',
			'relationship.accept',
			'relationship.reject',
			'relationship.end',
			'relationship.reactivate',
			'relationship.getAll',
			'message.sendMail',
			'message.sendAndWait',
			'message.sendRequest',
			'message.getAll',
			'message.get',
			'message.downloadAttachment',
			'message.sendNotification',
			'outgoingRequest.sendAndWait',
			'outgoingRequest.getAll',
			'outgoingRequest.get',
			'contact.find',
			'contact.getAll',
			'contact.get',
			'contact.getHistory',
			'contact.export',
			'contact.erase',
			'incomingRequest.accept',
			'incomingRequest.reject',
			'incomingRequest.getAll',
			'incomingRequest.get',
			'attribute.create',
			'attribute.upsert',
			'attribute.getAll',
			'attribute.get',
			'attribute.update',
			'attribute.delete',
			'file.upload',
			'file.download',
			'file.getAll',
			'file.get',
			'account.getIdentity',
			'account.sync',
			'account.loadFromReference',
			'account.getProblems',
			'account.getAnnouncements',
			'account.identityMetadata',
			'account.challenge',
			'account.deleteIdentity',
		]);
	});

	it('are at most as many as a person reads through, with triggers', () => {
		expect(operations.length).toBeLessThanOrEqual(50);
		expect(optionsOf(eventsField).length).toBeLessThanOrEqual(20);
	});

	it('begin with those that most workflows need, in the words of the task', () => {
		const groups = resources.map((resource) =>
			operations.filter((entry) => entry.resource === resource).map(({ option }) => option.action),
		);
		expect(groups.slice(0, 5).map(([first]) => first)).toEqual([
			'Create QR code to connect',
			'Accept person',
			'Send mail',
			'Ask connected person and wait',
			'Find contact',
		]);
		expect(groups[0]?.[1]).toBe('Show page with QR code and wait');
	});

	it('are each carried out by a file of its own', () => {
		const missing = operations.filter(
			({ resource, operation }) =>
				findOperation(resource, operation) === undefined ||
				!existsSync(join(root, `nodes/Enmeshed/actions/${resource}/${operation}.operation.ts`)),
		);
		expect(missing).toEqual([]);
	});

	it('have actions in sentence case, and descriptions without a full stop', () => {
		const failing = failingRows(namedOperations, ({ option }) => {
			expect(option.action).toMatch(/^[A-Z][a-z]+( ([a-z]+|QR))*$/);
			expect(option.description).toMatch(/^[A-Z].*[^.]$/);
		});
		expect(failing).toEqual([]);
	});

	it('show their fields for themselves only', () => {
		const failing = failingRows(namedOperations, ({ resource, operation }) => {
			for (const field of findOperation(resource, operation)?.properties ?? []) {
				expect(field.displayOptions?.show).toMatchObject({
					resource: [resource],
					operation: [operation],
				});
				expect(node.description.properties).toContain(field);
			}
		});
		expect(failing).toEqual([]);
	});

	it('have an output schema each', () => {
		const schemas = generateSchemas();
		const failing = failingRows(namedOperations, ({ resource, operation }) => {
			expect(schemas[`v1.0.0/${resource}/${operation}.json`]).toMatchObject({
				type: 'object',
				version: 1,
			});
		});
		expect(failing).toEqual([]);
	});

	it('do not include names that only objects have', () => {
		expect(findOperation('constructor', 'name')).toBeUndefined();
		expect(findOperation('account', 'toString')).toBeUndefined();
	});
});

/** Stands for all options, and comes first. */
const everyOption = 'All of Them';
/** Fields whose options are ordered by use: events, kinds of entries, actions and their groups. */
const orderedByUse = ['events', 'kind', 'operation', 'resource'];

describe('every field', () => {
	it('has a default', () => {
		expect(everyProperty.filter(([, { default: value }]) => value === undefined)).toEqual([]);
	});

	it('offers two choices at least, and the default among them, where it is a list', () => {
		const lists = everyProperty.filter(
			([, { type, typeOptions }]) =>
				type === 'options' && typeOptions?.loadOptionsMethod === undefined,
		);
		expect(lists.length).toBeGreaterThan(20);
		const failing = failingRows(lists, ({ default: value, options = [] }) => {
			const values = options.map((option) => 'value' in option && option.value);
			return values.length < 2 || !values.includes(value as string);
		});
		expect(failing).toEqual([]);
	});

	it('lists the usual types of attributes first, and last those that some wallets refuse', () => {
		const marked = identityTypes.map(({ description }) => /^Wallets of/.test(description ?? ''));
		expect(identityTypes.slice(0, 6).map(({ value }) => value)).toEqual([
			'GivenName',
			'Surname',
			'EMailAddress',
			'PhoneNumber',
			'StreetAddress',
			'BirthDate',
		]);
		expect(marked.indexOf(true)).toBe(marked.filter((isMarked) => !isMarked).length);
		expect(marked.lastIndexOf(false)).toBe(marked.indexOf(true) - 1);
		const rest = (isMarked: boolean): string[] =>
			identityTypes
				.slice(10)
				.flatMap(({ name }, index) => (marked[index + 10] === isMarked ? [name] : []));
		for (const names of [rest(true), rest(false)]) {
			expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
		}
	});

	it('has its long lists in alphabetical order', () => {
		const failing = failingRows(everyProperty, (property) => {
			const names = (property.options ?? []).map((option) =>
				'name' in option && !('displayName' in option) ? option.name : option.displayName,
			);
			if (names.length < 5 || orderedByUse.includes(property.name)) return;
			const types = new Set(identityTypes.map(({ name }) => name));
			const ordered = names.filter((name) => name !== everyOption && !types.has(name));
			expect(ordered).toEqual([...ordered].sort((a, b) => a.localeCompare(b)));
		});
		expect(failing).toEqual([]);
	});

	it('gives an example where it has a placeholder', () => {
		const examples = everyProperty.filter(
			([, { type, placeholder }]) =>
				placeholder !== undefined && type !== 'collection' && type !== 'fixedCollection',
		);
		expect(examples.filter(([, { placeholder }]) => !/^e\.g\. /.test(placeholder ?? ''))).toEqual(
			[],
		);
	});

	it('offers only searches that exist', () => {
		const failing = failingRows(everyProperty, (property) => {
			for (const mode of property.modes ?? []) {
				const search = mode.typeOptions?.searchListMethod;
				if (search !== undefined) expect(node.methods.listSearch).toHaveProperty(search);
			}
			const loader = property.typeOptions?.loadOptionsMethod;
			if (loader !== undefined) expect(node.methods.loadOptions).toHaveProperty(loader);
			const mapper = property.typeOptions?.resourceMapper?.resourceMapperMethod;
			if (mapper !== undefined) expect(node.methods.resourceMapping).toHaveProperty(mapper);
		});
		expect(failing).toEqual([]);
	});
});

/** Words of people who look for the node in the editor. */
const searchWords = [
	'QR code',
	'attribute',
	'connect',
	'consent',
	'form',
	'identity',
	'mail',
	'message',
	'onboarding',
	'relationship',
	'template',
	'verify',
	'wallet',
];

/** Words of people who look for the page. */
const pageWords = [
	...['QR code', 'connect', 'consent', 'form', 'identity', 'log in', 'login', 'onboarding'],
	...['page', 'relationship', 'sign up', 'template', 'verify', 'visitor', 'wallet'],
];

describe('the nodes', () => {
	const descriptions: Array<[string, INodeTypeDescription]> = [
		['Enmeshed', node.description],
		['EnmeshedTrigger', trigger.description],
		['EnmeshedPageTrigger', pageTrigger.description],
	];

	it.each(descriptions)('%s names the same credential test', (_name, description) => {
		expect(description.credentials).toEqual([
			{ name: 'enmeshedBackboneApi', required: true, testedBy: 'enmeshedBackboneApiTest' },
		]);
	});

	it.each([node, trigger, pageTrigger])('carry the credential test and the searches', (type) => {
		expect(Object.keys(type.methods.credentialTest ?? {})).toEqual(['enmeshedBackboneApiTest']);
		expect(Object.keys(type.methods.listSearch ?? {})).toContain('searchRelationships');
	});

	it.each(descriptions)(
		'%s has icons of its own for light and dark ground',
		(name, description) => {
			const { light, dark } = description.icon as { light: string; dark: string };
			const read = (icon: string) =>
				readFileSync(join(root, 'nodes/Enmeshed', icon.replace('file:', '')), 'utf8');
			expect(read(light)).toContain('viewBox="0 0 60 60"');
			expect(read(dark)).not.toEqual(read(light));
			expect(existsSync(join(root, `nodes/Enmeshed/${name}.node.json`))).toBe(true);
		},
	);

	it.each(descriptions)('%s is found by what people search for', (name) => {
		const codex = JSON.parse(
			readFileSync(join(root, `nodes/Enmeshed/${name}.node.json`), 'utf8'),
		) as { alias: string[]; resources: object };
		const words = name === 'EnmeshedPageTrigger' ? pageWords : searchWords;
		expect(codex.alias).toEqual(expect.arrayContaining(words));
		expect(codex.resources).toBeDefined();
	});

	it('are described by what the first two do, because the node panel shows the words of the trigger', () => {
		expect(trigger.description.description).toBe(node.description.description);
		expect(node.description.description).not.toMatch(/^Starts/);
	});

	it('can be used as a tool, except the triggers', () => {
		expect(node.description.usableAsTool).toBe(true);
		expect(trigger.description.usableAsTool).toBeUndefined();
		expect(pageTrigger.description.usableAsTool).toBeUndefined();
	});
});

describe('the events of the trigger', () => {
	const events = eventsField;

	it('are listed one by one in the node panel', () => {
		expect(events).toMatchObject({ name: 'events', type: 'multiOptions', default: [] });
		expect(optionsOf(events).map(({ action }) => action)).toEqual([
			'On relationship requested',
			'On request answered',
			'On mail received',
			'On relationship accepted',
			'On relationship ended',
			'On attribute changed',
			'On attribute shared',
			'On attribute deleted',
			'On incoming request received',
			'On message received',
			'On incoming request status changed',
			'On answer refused',
			'On template used up',
			'On peer deletion',
			'On relationship reactivation',
			'On relationship changed',
			'On relationship decomposed',
			'On any event',
		]);
	});

	it('are named as the gateway publishes them', () => {
		const values = optionsOf(events).map(({ value }) => String(value));
		expect(values.filter((value) => value !== 'any')).toEqual([
			'relationship.requested',
			'peer.outgoingRequestAnswered',
			'peer.mailReceived',
			'relationship.accepted',
			'relationship.ended',
			'peer.attributeChanged',
			'peer.attributeShared',
			'peer.attributeDeleted',
			'consumption.incomingRequestReceived',
			'transport.messageReceived',
			'consumption.incomingRequestStatusChanged',
			'gateway.answerRefused',
			'transport.relationshipTemplateAllocationsExhausted',
			'peer.deletion',
			'relationship.reactivation',
			'transport.relationshipChanged',
			'transport.relationshipDecomposedBySelf',
		]);
		const named = values.flatMap(eventNamesOf);
		for (const name of named) {
			if (name !== 'any') expect(eventCatalogue).toHaveProperty([name]);
		}
		expect(Object.keys(eventChoices).filter((value) => !values.includes(value))).toEqual([]);
	});
});

describe('the credential', () => {
	const credential = new EnmeshedBackboneApi();

	it('keeps every secret masked, and at the top where n8n never sends it back', () => {
		const secret = /secret|passphrase|password/i;
		for (const property of credential.properties) {
			expect(property.typeOptions?.password ?? false).toBe(secret.test(property.name));
		}
		const options = credential.properties.find(({ name }) => name === 'options');
		for (const property of allProperties((options?.options ?? []) as INodeProperties[])) {
			expect(property.name).not.toMatch(secret);
		}
	});

	it('is offered by no other node of n8n, and works where n8n knows no supported nodes', () => {
		expect(credential).not.toHaveProperty('authenticate');
		expect(credential).not.toHaveProperty('restrictToSupportedNodes');
	});
});
