import type { IDataObject } from 'n8n-workflow';
import type { GatewayFacade } from '../../core';
import { createAttributeSchema } from '../../core/model/input/attribute';
import { contactFindInputSchema } from '../../core/model/input/contact';
import { uploadInputSchema } from '../../core/model/input/file';
import { sendInputSchema } from '../../core/model/input/message';
import { createRelationshipInputSchema } from '../../core/model/input/relationship';
import { createTemplateInputSchema } from '../../core/model/input/template';
import { loadReferenceInputSchema } from '../../core/model/input/token';
import { relate } from '../support/gateways';
import { NodeBench } from './support/node-bench';

/*
 * Everything that the schema of a use case knows can be entered in its operation, and reaches the use
 * case as it was entered.
 */

let bench: NodeBench;
let gateway: GatewayFacade;
let release: () => void;
let peer: string;

beforeAll(async () => {
	bench = await NodeBench.open({ maxMessageRecipients: 3 });
	const lease = await bench.gateway();
	({ gateway } = lease);
	release = () => lease.release();
	({ addressB: peer } = await relate(lease.gateway, bench.wallet));
});

afterEach(() => jest.restoreAllMocks());

afterAll(async () => {
	release?.();
	await bench?.close();
});

const locator = (value: unknown) => ({ __rl: true, mode: 'id', value: String(value) });
const toPeer = () => ({ __rl: true, mode: 'address', value: peer });

const day = '2099-06-01T12:00:00.000Z';
const expiry = { expires: 'onDate', expiresAt: day };
const protection = () => ({
	forIdentity: peer,
	password: '1234',
	passwordLocationIndicator: 'SMS',
});
const protectedInput = () => ({
	forIdentity: peer,
	passwordProtection: {
		password: '1234',
		passwordIsPin: true,
		passwordLocationIndicator: 'SMS',
	},
});
const templateContent = { '@type': 'ArbitraryRelationshipTemplateContent', value: { a: 1 } };

const uploaded = async (): Promise<string> => {
	const described = { filename: 'a.txt', mimetype: 'text/plain' };
	return (await gateway.files.upload(described, Buffer.from('a'))).id;
};

const attachments = (id: string) => ({ files: [{ fileSource: 'list', file: locator(id) }] });

interface Shape {
	readonly shape: object;
}

interface Case {
	readonly resource: string;
	readonly operation: string;
	/** service and method that the operation calls */
	readonly use: readonly [service: keyof GatewayFacade, method: string];
	/** position of the input among the arguments */
	readonly at?: number;
	readonly schema: Shape;
	/** members that the operation has no field for */
	readonly leftOut?: readonly string[];
	prepare(): Promise<{ readonly parameters: IDataObject; readonly input: object }>;
}

const passwordProtection = { password: '1234' };

const cases: readonly Case[] = [
	{
		resource: 'relationshipTemplate',
		operation: 'create',
		use: ['templates', 'create'],
		schema: createTemplateInputSchema,
		prepare: () =>
			Promise.resolve({
				parameters: {
					contentMode: 'json',
					content: JSON.stringify(templateContent),
					purpose: { __rl: true, mode: 'name', value: 'newsletter' },
					...expiry,
					options: { maxNumberOfAllocations: 2, ...protection() },
				},
				input: {
					content: templateContent,
					expiresAt: day,
					purpose: 'newsletter',
					maxNumberOfAllocations: 2,
					...protectedInput(),
				},
			}),
	},
	{
		resource: 'file',
		operation: 'upload',
		use: ['files', 'upload'],
		schema: uploadInputSchema,
		prepare: () => {
			const described = {
				filename: 'terms.md',
				mimetype: 'text/markdown',
				title: 'Terms',
				description: 'What holds',
				expiresAt: day,
			};
			return Promise.resolve({
				parameters: {
					source: 'text',
					text: 'Be kind.',
					options: { ...described, tags: 'x:one, x:two' },
				},
				input: { ...described, tags: ['x:one', 'x:two'] },
			});
		},
	},
	{
		resource: 'account',
		operation: 'loadFromReference',
		use: ['account', 'loadItemFromReference'],
		schema: loadReferenceInputSchema,
		prepare: async () => {
			const content = templateContent as never;
			const template = { content, expiresAt: day, passwordProtection };
			const { reference } = await bench.wallet.templates.create(template);
			const entered = { reference: reference.truncated, password: '1234' };
			return { parameters: entered, input: entered };
		},
	},
	{
		resource: 'message',
		operation: 'sendMail',
		use: ['messages', 'send'],
		schema: sendInputSchema,
		prepare: async () => {
			const other = await bench.network.gateway();
			const third = await bench.network.gateway();
			const { addressB: cc } = await relate(gateway, other);
			const { addressB: further } = await relate(gateway, third);
			const id = await uploaded();
			const mail = { subject: 'Terms', body: '**New**', bodyFormat: 'Markdown' };
			const { bodyFormat, ...texts } = mail;
			return {
				parameters: {
					to: toPeer(),
					...texts,
					additionalFields: {
						isMarkdown: bodyFormat === 'Markdown',
						cc: [cc],
						moreRecipients: [further],
						attachments: attachments(id),
					},
				},
				input: {
					recipients: [peer, further, cc],
					content: { '@type': 'Mail', to: [peer, further], cc: [cc], ...mail },
					attachments: [id],
				},
			};
		},
	},
	{
		resource: 'attribute',
		operation: 'create',
		use: ['attributes', 'create'],
		schema: createAttributeSchema,
		prepare: () =>
			Promise.resolve({
				parameters: { valueType: 'GivenName', value: 'Ada', options: { tags: 'x:one' } },
				input: {
					content: { value: { '@type': 'GivenName', value: 'Ada' }, tags: ['x:one'] },
				},
			}),
	},
	{
		resource: 'account',
		operation: 'loadFromReference',
		use: ['relationships', 'create'],
		schema: createRelationshipInputSchema,
		prepare: async () => {
			const stranger = await bench.network.gateway();
			const made = await stranger.templates.create({
				content: templateContent as never,
				expiresAt: day,
			});
			const creationContent = {
				'@type': 'ArbitraryRelationshipCreationContent',
				value: { b: 2 },
			};
			return {
				parameters: {
					reference: made.reference.truncated,
					connect: true,
					creationContent: JSON.stringify(creationContent),
				},
				input: { templateId: made.id, creationContent },
			};
		},
	},
	...(
		[
			[{ findBy: 'emailAddress', emailAddress: 'a@b.org' }, { emailAddress: 'a@b.org' }],
			[{ findBy: 'name', name: 'Ada' }, { name: 'Ada' }],
			[
				{ findBy: 'attribute', attributeType: 'Surname', value: 'King' },
				{ attribute: { type: 'Surname', value: 'King' } },
			],
			[
				{ findBy: 'relationshipAttribute', key: 'no', value: '7', owner: 'any' },
				{ relationshipAttribute: { key: 'no', value: '7', owner: 'any' } },
			],
		] as const
	).map(([criterion, input]): Case => ({
		resource: 'contact',
		operation: 'find',
		use: ['contacts', 'find'],
		schema: contactFindInputSchema,
		// One criterion at a time; each is a case of its own. Pages begin with the first contact.
		leftOut: ['offset', 'emailAddress', 'attribute', 'relationshipAttribute', 'name'],
		prepare: () =>
			Promise.resolve({
				parameters: { ...criterion, ifSeveral: 'list', returnAll: false, limit: 7 },
				input: { ...input, ifSeveral: 'list', limit: 7 },
			}),
	})),
];

it.each(cases)(
	'$operation of $resource hands on everything that its use case knows',
	async ({
		resource,
		operation,
		use: [service, method],
		at = 0,
		prepare,
		schema,
		leftOut = [],
	}) => {
		const { parameters, input } = await prepare();
		const spied = jest.spyOn(gateway[service] as never, method as never) as jest.SpyInstance;
		await bench.run(resource, operation, parameters);
		const calls = spied.mock.calls as unknown[][];
		expect(calls.map((call) => call[at])).toEqual([input]);
		const known = Object.keys(schema.shape).filter((name) => !leftOut.includes(name));
		expect(Object.keys(input)).toEqual(expect.arrayContaining(known));
	},
);

it.each([[{ code: 'error.mine', message: 'Not now' }], [{}]])(
	'incomingRequest.reject hands on the reason: %j',
	async (reason) => {
		const own = (await gateway.account.getIdentity()).address;
		const items = [
			{ '@type': 'ConsentRequestItem' as const, consent: 'Yes?', mustBeAccepted: true },
		];
		const sent = await bench.wallet.outgoingRequests.create({ content: { items }, peer: own });
		await bench.wallet.messages.send({ recipients: [own], content: sent.content });
		await bench.settle();
		const spied = jest.spyOn(gateway.incomingRequests, 'reject');
		await bench.run('incomingRequest', 'reject', { request: locator(sent.id), options: reason });
		expect(spied.mock.calls.map(([, input]) => input)).toEqual([
			{ items: [{ accept: false, ...reason }] },
		]);
	},
);

it('relationshipTemplate.create hands on what connected people may do', async () => {
	const spied = jest.spyOn(gateway.templates, 'create');
	const options = { ...protection(), acceptUnprovenAnswers: true };
	const content = JSON.stringify(templateContent);
	await bench.run('relationshipTemplate', 'create', { contentMode: 'json', content, options });
	expect(spied.mock.calls.map(([, given]) => given)).toMatchObject([
		{ acceptUnprovenAnswers: true },
	]);
});
