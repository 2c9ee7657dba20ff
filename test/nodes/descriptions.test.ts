import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { EnmeshedBackboneApi } from '../../credentials/EnmeshedBackboneApi.credentials';
import { eventCatalogue } from '../../core';
import { Enmeshed } from '../../nodes/Enmeshed/Enmeshed.node';
import { EnmeshedTrigger } from '../../nodes/Enmeshed/EnmeshedTrigger.node';
import { findOperation } from '../../nodes/Enmeshed/actions/resources';
import { generateSchemas } from '../../nodes/Enmeshed/schemas/generate-schemas';
import { eventChoices, eventNamesOf } from '../../nodes/Enmeshed/trigger/trigger-events';

const node = new Enmeshed();
const trigger = new EnmeshedTrigger();
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
	...allProperties(new EnmeshedBackboneApi().properties),
]);

describe('the operations of the node', () => {
	it.each(resources)('stand in exactly one property for the resource %s', (resource) => {
		const found = operationProperties.filter(({ displayOptions }) =>
			displayOptions?.show?.['resource']?.includes(resource),
		);
		expect(found).toHaveLength(1);
	});

	it('are those that this version promises', () => {
		expect(operations.map(({ resource, operation }) => `${resource}.${operation}`).sort()).toEqual([
			'account.discardProblem',
			'account.getIdentity',
			'account.getProblems',
			'account.getSyncStatus',
			'account.reconcile',
			'account.retryProblem',
			'account.sync',
			'attribute.create',
			'attribute.delete',
			'attribute.executeQuery',
			'attribute.get',
			'attribute.getAll',
			'attribute.getSharedVersions',
			'attribute.getVersions',
			'attribute.notifyPeer',
			'attribute.shareWithPeer',
			'attribute.update',
			'attribute.upsert',
			'contact.find',
			'contact.get',
			'contact.getAll',
			'file.download',
			'file.get',
			'file.getAll',
			'file.getQrCode',
			'file.loadFromReference',
			'file.upload',
			'incomingRequest.accept',
			'incomingRequest.checkAnswer',
			'incomingRequest.get',
			'incomingRequest.getAll',
			'incomingRequest.reject',
			'message.downloadAttachment',
			'message.get',
			'message.getAll',
			'message.markAsRead',
			'message.sendAndWait',
			'message.sendCustom',
			'message.sendMail',
			'message.sendRequest',
			'outgoingRequest.create',
			'outgoingRequest.discard',
			'outgoingRequest.get',
			'outgoingRequest.getAll',
			'outgoingRequest.sendAndWait',
			'outgoingRequest.validate',
			'relationship.accept',
			'relationship.acceptReactivation',
			'relationship.createFromTemplate',
			'relationship.decompose',
			'relationship.get',
			'relationship.getAll',
			'relationship.reject',
			'relationship.rejectReactivation',
			'relationship.requestReactivation',
			'relationship.revoke',
			'relationship.revokeReactivation',
			'relationship.terminate',
			'relationshipTemplate.create',
			'relationshipTemplate.delete',
			'relationshipTemplate.get',
			'relationshipTemplate.getAll',
			'relationshipTemplate.getQrCode',
			'relationshipTemplate.loadFromReference',
			'relationshipTemplate.sendAndWait',
			'token.create',
			'token.get',
			'token.getAll',
			'token.getQrCode',
			'token.loadFromReference',
		]);
	});

	it.each(operations)('$resource.$operation is carried out by a file of its own', (entry) => {
		expect(findOperation(entry.resource, entry.operation)).toBeDefined();
		const file = `nodes/Enmeshed/actions/${entry.resource}/${entry.operation}.operation.ts`;
		expect(existsSync(join(root, file))).toBe(true);
	});

	it.each(operations)('$resource.$operation has an action in sentence case', ({ option }) => {
		expect(option.action).toMatch(/^[A-Z][a-z]+( ([a-z]+|QR))*$/);
		expect(option.description).toMatch(/^[A-Z].*[^.]$/);
	});

	it.each(operations)('$resource.$operation shows its fields for itself only', (entry) => {
		const fields = findOperation(entry.resource, entry.operation)?.properties ?? [];
		for (const field of fields) {
			expect(field.displayOptions?.show).toMatchObject({
				resource: [entry.resource],
				operation: [entry.operation],
			});
			expect(node.description.properties).toContain(field);
		}
	});

	it.each(operations)('$resource.$operation has an output schema', ({ resource, operation }) => {
		expect(generateSchemas()[`v1.0.0/${resource}/${operation}.json`]).toMatchObject({
			type: 'object',
			version: 1,
		});
	});

	it('do not include names that only objects have', () => {
		expect(findOperation('constructor', 'name')).toBeUndefined();
		expect(findOperation('account', 'toString')).toBeUndefined();
	});
});

/** Stands for all options, and comes first. */
const everyOption = 'All of Them';
/** Resource for maintenance, which comes last. */
const lastResource = 'Account';
const outOfOrder = [everyOption, lastResource];

describe('every field', () => {
	it('for the resource names the account last', () => {
		const resource = node.description.properties.find(({ name }) => name === 'resource');
		expect(resource?.options?.at(-1)).toMatchObject({ name: lastResource });
	});

	it.each(everyProperty)('%s has a default', (_name, property) => {
		expect(property.default).toBeDefined();
	});

	it.each(everyProperty)('%s has its long lists in alphabetical order', (_name, property) => {
		const names = (property.options ?? []).map((option) =>
			'name' in option && !('displayName' in option) ? option.name : option.displayName,
		);
		if (names.length < 5) return expect(names.length).toBeLessThan(5);
		// Kinds of entries are ordered by use.
		if (names[0] === 'Ask For') return expect(property.name).toBe('kind');
		const ordered = names.filter((name) => !outOfOrder.includes(name));
		return expect(ordered).toEqual([...ordered].sort((a, b) => a.localeCompare(b)));
	});

	it.each(everyProperty)('%s gives an example where it has a placeholder', (_name, property) => {
		const isButton = property.type === 'collection' || property.type === 'fixedCollection';
		if (property.placeholder === undefined || isButton) return;
		expect(property.placeholder).toMatch(/^e\.g\. /);
	});

	it.each(everyProperty)('%s offers only searches that exist', (_name, property) => {
		for (const mode of property.modes ?? []) {
			const search = mode.typeOptions?.searchListMethod;
			if (search !== undefined) expect(node.methods.listSearch).toHaveProperty(search);
		}
		const loader = property.typeOptions?.loadOptionsMethod;
		if (loader !== undefined) expect(node.methods.loadOptions).toHaveProperty(loader);
		const mapper = property.typeOptions?.resourceMapper?.resourceMapperMethod;
		if (mapper !== undefined) expect(node.methods.resourceMapping).toHaveProperty(mapper);
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

describe('both nodes', () => {
	const descriptions: Array<[string, INodeTypeDescription]> = [
		['Enmeshed', node.description],
		['EnmeshedTrigger', trigger.description],
	];

	it.each(descriptions)('%s names the same credential test', (_name, description) => {
		expect(description.credentials).toEqual([
			{ name: 'enmeshedBackboneApi', required: true, testedBy: 'enmeshedBackboneApiTest' },
		]);
	});

	it.each([node, trigger])('carry the credential test and the searches', (type) => {
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
		expect(codex.alias).toEqual(expect.arrayContaining(searchWords));
		expect(codex.resources).toBeDefined();
	});

	it('can be used as a tool, except the trigger', () => {
		expect(node.description.usableAsTool).toBe(true);
		expect(trigger.description.usableAsTool).toBeUndefined();
	});
});

describe('the events of the trigger', () => {
	// The node panel looks for a property with this display name and lists its options.
	const events = trigger.description.properties.find(
		({ displayName }) => displayName === 'Events',
	) as INodeProperties;

	it('are listed one by one in the node panel', () => {
		expect(events).toMatchObject({ name: 'events', type: 'multiOptions', default: [] });
		expect(optionsOf(events).map(({ action }) => action)).toEqual([
			'On answer refused',
			'On any event',
			'On attribute changed',
			'On attribute deleted',
			'On attribute shared',
			'On incoming request received',
			'On incoming request status changed',
			'On mail received',
			'On message received',
			'On peer deleted',
			'On peer deletion cancelled',
			'On peer to be deleted',
			'On relationship accepted',
			'On relationship changed',
			'On relationship decomposed',
			'On relationship ended',
			'On relationship reactivation completed',
			'On relationship reactivation requested',
			'On relationship requested',
			'On request answered',
			'On template used up',
		]);
	});

	it('are named as the gateway publishes them', () => {
		const values = optionsOf(events).map(({ value }) => String(value));
		expect(values.filter((value) => value !== 'any')).toEqual([
			'gateway.answerRefused',
			'peer.attributeChanged',
			'peer.attributeDeleted',
			'peer.attributeShared',
			'consumption.incomingRequestReceived',
			'consumption.incomingRequestStatusChanged',
			'peer.mailReceived',
			'transport.messageReceived',
			'transport.peerDeleted',
			'transport.peerDeletionCancelled',
			'transport.peerToBeDeleted',
			'relationship.accepted',
			'transport.relationshipChanged',
			'transport.relationshipDecomposedBySelf',
			'relationship.ended',
			'transport.relationshipReactivationCompleted',
			'transport.relationshipReactivationRequested',
			'relationship.requested',
			'peer.outgoingRequestAnswered',
			'transport.relationshipTemplateAllocationsExhausted',
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
