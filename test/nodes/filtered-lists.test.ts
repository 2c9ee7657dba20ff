import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { GatewayFacade } from '../../core';
import { findOperation } from '../../nodes/Enmeshed/actions/resources';
import { mailTo, relate } from '../support/gateways';
import { NodeBench } from './support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
let gateway: GatewayFacade;
let release: () => void;
let peer: string;

const locator = (mode: string, value: string) => ({ __rl: true, mode, value });

const ask = {
	items: [{ '@type': 'ConsentRequestItem' as const, consent: 'I agree.', mustBeAccepted: true }],
};

const inOneHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** Everything twice, so that each filter leaves out something. */
beforeAll(async () => {
	bench = await NodeBench.open();
	const lease = await bench.gateway();
	({ gateway } = lease);
	release = () => lease.release();
	const people = [bench.wallet, await bench.network.gateway()];
	for (const person of people) {
		const { addressA: own, addressB } = await relate(lease.gateway, person);
		peer = addressB;
		const isFirst = person === bench.wallet;
		const { content: mail, ...to } = mailTo(peer, isFirst ? 'Appointment' : 'Hello');
		const formatted = isFirst ? { ...mail, bodyFormat: 'Markdown' as const } : mail;
		await gateway.messages.send({ ...to, content: formatted });
		await gateway.outgoingRequests.create({ content: ask, peer });
		const { content } = await person.outgoingRequests.create({ content: ask, peer: own });
		await person.messages.send({ recipients: [own], content });
	}
	await bench.settle();
	const created = await gateway.attributes.create({
		content: { value: { '@type': 'GivenName', value: 'Ada' } },
	});
	await gateway.attributes.succeed(created.id, {
		successorContent: { value: { '@type': 'GivenName', value: 'Augusta' } },
	});
	await gateway.attributes.create({ content: { value: { '@type': 'Surname', value: 'King' } } });
	for (const [name, tags] of [
		['invoice.pdf', ['x:invoice']],
		['letter.txt', []],
	] as const) {
		const described = { filename: name, title: name.slice(0, -4), tags: [...tags] };
		await gateway.files.upload({ ...described, mimetype: 'text/plain' }, Buffer.from(name));
		await gateway.templates.create({
			content: {
				'@type': 'RelationshipTemplateContent',
				title: name,
				onNewRelationship: { '@type': 'Request', ...ask },
			},
			expiresAt: inOneHour(),
			purpose: name,
		});
	}
});

afterAll(async () => {
	release?.();
	await bench?.close();
});

const requests = [
	() => ({ peer: locator('address', peer) }),
	() => ({ requestStatuses: ['Open'] }),
];

/** Filters of each list, of which each leaves out something. */
const filters: Record<string, ReadonlyArray<() => IDataObject>> = {
	attribute: [
		() => ({ includeOld: false }),
		() => ({ peer: locator('address', peer), includeOld: true }),
		() => ({ valueTypes: ['Surname'], includeOld: true }),
	],
	file: [
		() => ({ filename: '.PDF' }),
		() => ({ title: 'nvoi' }),
		() => ({ tag: 'x:invoice' }),
		() => ({ owner: 'peers' }),
	],
	incomingRequest: requests,
	message: [
		() => ({ bodyFormat: 'Markdown' }),
		() => ({ bodyFormat: 'PlainText' }),
		() => ({ direction: 'sent' }),
		() => ({ messageTypes: ['Request'] }),
		() => ({ peer: locator('address', peer) }),
		() => ({ subject: 'appoint' }),
		() => ({ since: inOneHour() }),
	],
	outgoingRequest: requests,
	relationship: [
		() => ({ peer: locator('address', peer) }),
		() => ({ purpose: locator('name', 'letter.txt') }),
		() => ({ statuses: ['Terminated'] }),
		() => ({ template: locator('id', 'RLTAAAAAAAAAAAAAAAAA') }),
	],
	relationshipTemplate: [
		() => ({ title: 'letter' }),
		() => ({ createdBy: 'peers' }),
		() => ({ purpose: locator('name', 'letter.txt') }),
	],
};

const everything: Record<string, IDataObject> = { attribute: { includeOld: true } };

async function idsOf(resource: string, parameters: IDataObject): Promise<unknown[]> {
	const items = await bench.run(resource, 'getAll', parameters);
	return items.map(({ json }) => json['id']);
}

const cases = Object.entries(filters).flatMap(([resource, all]) =>
	all.map((given, index) => ({ resource, given, index })),
);

it.each(cases)(
	'filter $index of the list of $resource holds with Limit and with Return All',
	async ({ resource, given }) => {
		const whole = await idsOf(resource, { filters: everything[resource] ?? {}, limit: 100 });
		expect(whole.length).toBeGreaterThanOrEqual(2);
		const limited = await idsOf(resource, { filters: given(), limit: 100 });
		expect(await idsOf(resource, { filters: given(), returnAll: true })).toEqual(limited);
		expect(limited.length).toBeLessThan(whole.length);
		expect(whole).toEqual(expect.arrayContaining(limited));
	},
);

it.each(Object.keys(filters))('every filter of the list of %s is tried', (resource) => {
	const fields = findOperation(resource, 'getAll')?.properties ?? [];
	const offered = fields.find(({ name }) => name === 'filters')?.options as INodeProperties[];
	const tried = filters[resource]?.flatMap((given) => Object.keys(given())) ?? [];
	// 'Only Valid' depends on the clock: lists.test.ts.
	const names = offered.map(({ name }) => name).filter((name) => name !== 'onlyValid');
	expect(names.filter((name) => !tried.includes(name))).toEqual([]);
});
