import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { Gateway, type GatewayConfigInput, type GatewayFacade } from '../../../core';
import { SandboxNetwork } from '../../support/gateways';

/* What a program can reach, and what it is told about its own mistakes. */
const facade = join(__dirname, '../../../core/facade');

let network: SandboxNetwork;
let gateway: Gateway;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	gateway = await network.gateway();
});

afterAll(() => network.close());

/** Members that the interfaces of the facade declare or inherit. */
function declaredMembers(): Map<string, Map<string, string>> {
	const declared = new Map<string, Map<string, string>>();
	const bases: Array<[string, string]> = [];
	for (const file of readdirSync(facade, { recursive: true, encoding: 'utf8' })) {
		if (!file.endsWith('.ts')) continue;
		const text = readFileSync(join(facade, file), 'utf8');
		ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true).forEachChild((node) => {
			if (!ts.isInterfaceDeclaration(node)) return;
			const members = node.members.map((member): [string, string] => [
				member.name?.getText() ?? '',
				ts.isPropertySignature(member) ? (member.type?.getText() ?? '') : 'method',
			]);
			declared.set(node.name.text, new Map(members));
			for (const { types } of node.heritageClauses ?? []) {
				for (const type of types) bases.push([node.name.text, type.expression.getText()]);
			}
		});
	}
	for (const [name, base] of bases) {
		for (const member of declared.get(base) ?? []) declared.get(name)?.set(...member);
	}
	return declared;
}

describe('a program', () => {
	const declared = declaredMembers();
	const groups = [...(declared.get('GatewayFacade') ?? [])];

	it.each(groups)('reaches the declared methods of %s, and no other', (group, type) => {
		const methods = [...(declared.get(type)?.keys() ?? [])];
		expect(methods.length).toBeGreaterThan(0);
		expect(Object.keys(gateway[group as keyof GatewayFacade]).sort()).toEqual(methods.sort());
	});

	it('reaches nothing behind them', () => {
		const reached = Object.keys(gateway).sort();
		const names = groups.map(([group]) => group);
		expect(reached).toEqual([...names, 'close', 'reconfigure'].sort());
		expect(Object.getPrototypeOf(gateway)).toBe(Object.prototype);
	});

	it('may detach the methods from their object', async () => {
		const { send } = gateway.messages;
		const input = { recipients: [], content: {} } as never;
		await expect(send(input)).rejects.toMatchObject({
			code: 'error.runtime.validation.invalidPropertyValue',
		});
	});
});

describe('a setting that does not exist', () => {
	it.each<readonly [string, (config: GatewayConfigInput) => object, string, string]>([
		[
			'passPhrase',
			(config) => ({ ...config, passPhrase: 'secret' }),
			'passPhrase',
			"There is no setting 'passPhrase'. Did you mean 'passphrase'?",
		],
		[
			'sealContent',
			(config) => ({ ...config, sealContent: true }),
			'sealContent',
			"There is no setting 'sealContent'. Did you mean 'sealContents'?",
		],
		[
			'backbone.baseURL',
			({ backbone: { baseUrl, ...rest } }) => ({ backbone: { ...rest, baseURL: baseUrl } }),
			'backbone.baseURL',
			"There is no setting 'backbone.baseURL'. Did you mean 'backbone.baseUrl'?",
		],
		[
			'store.folders',
			(config) => ({ ...config, store: { kind: 'sqlite', folders: '/x' } }),
			'store.folders',
			"There is no setting 'store.folders'. Did you mean 'store.folder'?",
		],
		['colour', (config) => ({ ...config, colour: 1 }), 'colour', "There is no setting 'colour'."],
		['nothing', () => [], '', 'The configuration is not valid: expected an object.'],
	])('%s is refused, with the nearest name', async (_name, change, field, message) => {
		await expect(Gateway.open(change(network.config()) as never)).rejects.toMatchObject({
			code: 'error.gateway.configuration.invalid',
			message,
			facts: { field },
		});
	});
});

describe('a mistake in a call', () => {
	it('is found by the compiler, and refused when the program runs', async () => {
		const { messages, templates, contacts, incomingRequests } = gateway;
		const calls = [
			// @ts-expect-error: misspelled members
			() => messages.send({ recipents: 7, conten: {} }),
			// @ts-expect-error: a name is not a list of addresses
			() => messages.send({ recipients: 'Ada', content: { '@type': 'Mail' } }),
			// @ts-expect-error: no time of expiry
			() => templates.create({ content: {} }),
			// @ts-expect-error: a list has no such choice
			() => contacts.find({ name: 'Ada', ifSeveral: 'any' }),
			// @ts-expect-error: a query has texts
			() => messages.list({ query: { isOwn: true } }),
			// @ts-expect-error: an item is accepted or not
			() => incomingRequests.accept('REQ00000000000000000', { items: [{ accept: 'yes' }] }),
		];
		for (const call of calls) {
			await expect(call()).rejects.toMatchObject({ code: expect.stringMatching(/^error\./) });
		}
	});

	const invalidList = 'error.gateway.store.invalidList';

	it.each<readonly [string, unknown]>([
		['a negative limit', { limit: -1 }],
		['a limit that is a BigInt', { limit: 1n }],
		['a limit that is a text', { limit: '10' }],
		['a negative offset', { offset: -1 }],
		['an unknown field', { orderBy: { field: 'colour', direction: 'asc' } }],
		['an unknown direction', { orderBy: { field: 'inserted', direction: 'up' } }],
		['an order that is a text', { orderBy: 'createdAt' }],
	])('%s of a list has a code', async (_name, input) => {
		const { messages, attributes, templates, outgoingRequests } = gateway;
		for (const list of [messages.list, attributes.list, templates.list, outgoingRequests.list]) {
			const listing = list(input as never).then(
				() => 'no failure',
				({ code }: { readonly code?: string }) => code,
			);
			expect(await listing).toBe(invalidList);
		}
	});

	const peer = 'did:e:localhost:dids:0000000000000000000000';
	it.each<readonly [string, (big: never) => Promise<unknown>]>([
		['a setting', (value) => gateway.settings.create({ key: 'a', value })],
		['a draft', (content) => gateway.drafts.create({ type: 'Message', content } as never)],
		['a message', (content) => gateway.messages.send({ recipients: [peer], content })],
		['a template', (content) => gateway.templates.create({ expiresAt: '2999', content } as never)],
		['a token', (content) => gateway.tokens.create({ expiresAt: '2999', content } as never)],
		['an attribute', (value) => gateway.attributes.create({ content: { value } } as never)],
	])('a BigInt in %s has a code', async (_name, call) => {
		const big = { '@type': 'ArbitraryMessageContent', value: { amount: 1n } } as never;
		await expect(call(big)).rejects.toMatchObject({ code: expect.stringMatching(/^error\./) });
	});
});
