import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Gateway, GatewayConfigInput } from '../../../core';
import { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import { empty, failureOf, FixtureServer, raw, result } from '../../core/backbone/fixture-server';
import { inOneHour, SandboxNetwork, settle } from '../../support/gateways';
import { RenamingProxy } from '../../support/backbone/renaming-proxy';

/* Opening an account where something is wrong: a coded error, and nothing is left behind. */
let network: SandboxNetwork;

beforeEach(async () => {
	network = await SandboxNetwork.open();
});

afterEach(() => network.close());

const withBackbone = (
	config: GatewayConfigInput,
	change: Partial<GatewayConfigInput['backbone']>,
): GatewayConfigInput => ({ ...config, backbone: { ...config.backbone, ...change } });

const filesOf = ({ store }: GatewayConfigInput): string[] =>
	store?.kind === 'sqlite' ? readdirSync(store.folder ?? '') : [];

async function refusal(config: GatewayConfigInput): Promise<Error & Record<string, unknown>> {
	const error = await failureOf(network.gateway(config));
	expect(error['remedy']).toMatch(/\w+ \w+/);
	expect(JSON.stringify([error.message, error['remedy'], error['facts']])).not.toContain(
		'the-wrong-secret',
	);
	return error;
}

const clientInvalid = 'error.transport.general.platformClientInvalid';
const addressMismatch = 'error.gateway.identity.addressMismatch';
const wrongClientSecret = 'error.gateway.store.wrongClientSecret';

/** The same account with the right settings is a working one. */
async function worksWith(config: GatewayConfigInput): Promise<Gateway> {
	const gateway = await network.gateway(config);
	await gateway.templates.create({
		expiresAt: inOneHour(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
	});
	return gateway;
}

describe('an account is not opened, and can be later', () => {
	it.each<[string, Partial<GatewayConfigInput['backbone']>, string]>([
		['an address that is none', { baseUrl: 'backbone' }, 'error.transport.general.invalidBaseUrl'],
		['no address', { baseUrl: '' }, 'error.transport.general.baseUrlNotSet'],
		[
			'a host that does not exist',
			{ baseUrl: 'http://backbone.invalid' },
			'error.transport.request.addressNotFound',
		],
		[
			'a port where nothing listens',
			{ baseUrl: 'http://localhost:9' },
			'error.transport.request.unknown',
		],
		['no client id', { clientId: '' }, 'error.transport.general.platformClientIdNotSet'],
		[
			'no client secret',
			{ clientSecret: '' },
			'error.transport.general.platformClientSecretNotSet',
		],
		['a wrong client id', { clientId: 'other' }, clientInvalid],
		['a wrong client secret', { clientSecret: 'the-wrong-secret' }, clientInvalid],
	])('with %s', async (_, change, code) => {
		const config = network.config();
		const error = await refusal(withBackbone(config, change));
		expect(error['code']).toBe(code);
		expect(network.backbone.state.identities.size).toBe(0);
		await worksWith(config);
		expect(network.backbone.state.identities.size).toBe(1);
	});

	it.each([
		['too busy to say whether it knows the client', 503, 'error.transport.request.noAuthPossible'],
		['without a token endpoint', 404, 'error.transport.request.noAuthGrant'],
	])('at a Backbone that is %s', async (_, status, code) => {
		const config = network.config();
		network.backbone.faults.add({
			path: /connect\/token/,
			times: 100,
			action: { kind: 'status', status },
		});
		const mistyped = withBackbone(config, { clientSecret: 'the-wrong-secret' });
		expect((await refusal(mistyped))['code']).toBe(code);
		network.backbone.faults.clear();
		await worksWith(config);
		expect(network.backbone.state.identities.size).toBe(1);
	});

	it('with a wrong client secret and a passphrase', async () => {
		const config = { ...network.config(), passphrase: 'the right one' };
		const wrong = withBackbone(config, { clientSecret: 'the-wrong-secret' });
		expect((await refusal(wrong))['code']).toBe(clientInvalid);
		await worksWith(config);
	});

	const notSupported = 'error.gateway.backbone.versionNotSupported';
	it.each([
		['too old', result({ majorVersion: '5' }), notSupported, 'invalid'],
		['too new', result({ majorVersion: '8' }), notSupported, 'invalid'],
		[
			'a web site',
			raw(200, '<html>', 'text/html'),
			'error.gateway.backbone.notABackbone',
			'unavailable',
		],
	])('at a Backbone that is %s', async (_, answer, code, kind) => {
		const server = await FixtureServer.open({
			'GET /api/v2/Version': answer,
			'GET /api/v1/Version': empty(404),
		});
		const config = network.config();
		const error = await refusal(withBackbone(config, { baseUrl: server.baseUrl }));
		expect([error['code'], error['kind']]).toEqual([code, kind]);
		expect(server.seen.every(({ path }) => path.endsWith('/Version'))).toBe(true);
		await server.close();
		await worksWith(config);
		expect(network.backbone.state.identities.size).toBe(1);
	});

	it('at a Backbone whose proxy mixes host names', async () => {
		const nameFor = (path: string): string =>
			path.startsWith('/connect/token') ? 'localhost' : '127.0.0.1';
		const proxy = await RenamingProxy.before(network.backbone.baseUrl, nameFor);
		const config = network.config();
		const error = await refusal(withBackbone(config, { baseUrl: proxy.baseUrl }));
		await proxy.close();
		expect(error['code']).toBe('error.platform.unauthorized');
		expect(error['remedy']).toMatch(/address that the Backbone itself uses.*localhost and 127/);
		await worksWith(config);
	});

	it('when it has no identity yet, and none may be created', async () => {
		const config = network.config();
		const error = await refusal({ ...config, allowIdentityCreation: false });
		expect(error['code']).toBe('error.transport.general.noIdentityFound');
		expect(filesOf(config)).toEqual([]);
		expect(network.backbone.state.identities.size).toBe(0);
		await worksWith(config);
	});

	it('at an IP address, where no identity is created', async () => {
		const config = network.config();
		const named = network.backbone.baseUrl;
		const baseUrl = named.replace('localhost', '127.0.0.1');
		const error = await refusal(withBackbone(config, { baseUrl }));
		expect([error['code'], error['facts']]).toEqual([
			addressMismatch,
			{ field: 'backbone.baseUrl' },
		]);
		expect(error['remedy']).toContain(`enter ${named}`);
		expect(network.backbone.state.identities.size).toBe(0);
		await worksWith(config);
	});

	it.each(['10.0.0.1', 'backbone', 'Other.Example', `${'long.'.repeat(9)}example`])(
		'with the host name %s, which addresses cannot contain',
		async (addressHostname) => {
			const config = network.config();
			const error = await refusal(withBackbone(config, { addressHostname }));
			expect([error['code'], error['facts']]).toEqual([
				addressMismatch,
				{ field: 'backbone.addressHostname' },
			]);
			expect(network.backbone.state.identities.size).toBe(0);
		},
	);

	it('when the Backbone has another host name, and makes one identity only', async () => {
		const config = network.config();
		const wrong = withBackbone(config, { addressHostname: 'other.example' });
		for (const _attempt of [1, 2]) {
			const error = await refusal(wrong);
			expect(error['code']).toBe(addressMismatch);
			expect(error['remedy']).toContain("Enter localhost in 'Address Hostname'");
		}
		const gateway = await worksWith(config);
		const { address } = await gateway.account.getIdentity();
		expect([...network.backbone.state.identities.keys()]).toEqual([address]);
	});

	it('when its URL has another host name, until the right URL is entered', async () => {
		const config = network.config();
		const wrong = withBackbone(config, {
			baseUrl: network.backbone.baseUrl.replace('localhost', '127.0.0.1'),
			addressHostname: 'other.example',
		});
		expect((await refusal(wrong))['code']).toBe(addressMismatch);
		const gateway = await worksWith(config);
		await gateway.close();
		await worksWith(config);
		expect(network.backbone.state.identities.size).toBe(1);
	});
});

describe('an account that exists is not opened', () => {
	it('at another Backbone than its own', async () => {
		const config = network.config();
		const gateway = await worksWith(config);
		const { address } = await gateway.account.getIdentity();
		await gateway.close();
		const other = await SandboxBackbone.open();
		const baseUrl = other.baseUrl.replace('localhost', '127.0.0.1');
		const error = await refusal(withBackbone(config, { baseUrl }));
		expect(error['code']).toBe('error.gateway.identity.belongsToAnotherBackbone');
		expect(other.state.identities.size).toBe(0);
		await other.close();
		const again = await worksWith(config);
		expect((await again.account.getIdentity()).address).toBe(address);
	});

	it('with a wrong client secret, whose right one opens it afterwards', async () => {
		const config = network.config();
		await (await worksWith(config)).close();
		const wrong = withBackbone(config, { clientSecret: 'the-wrong-secret' });
		expect((await refusal(wrong))['code']).toBe(wrongClientSecret);
		await worksWith(config);
	});

	it('with a wrong client secret after its creation was interrupted', async () => {
		const config = network.config();
		network.backbone.faults.add({
			method: 'POST',
			path: /Identities/,
			action: { kind: 'cutBefore' },
		});
		await refusal(config);
		const wrong = withBackbone(config, { clientSecret: 'the-wrong-secret' });
		expect((await refusal(wrong))['code']).toBe(wrongClientSecret);
		await worksWith(config);
		expect(network.backbone.state.identities.size).toBe(1);
	});

	it('with a wrong passphrase, whose right one opens it afterwards', async () => {
		const config = { ...network.config(), passphrase: 'the right one' };
		await (await worksWith(config)).close();
		const wrong = { ...config, passphrase: 'the-wrong-secret' };
		expect((await refusal(wrong))['code']).toBe('error.gateway.store.wrongPassphrase');
		await worksWith(config);
	});
});

describe('a client secret that was changed', () => {
	let backbone: SandboxBackbone;
	let config: GatewayConfigInput;
	let gateway: Gateway;

	const entering = (clientSecret: string, previousClientSecret = 'test'): GatewayConfigInput => ({
		...withBackbone(config, { clientSecret }),
		previousClientSecret,
	});

	beforeEach(async () => {
		const stateFile = join(network.newFolder(), 'state.json');
		backbone = await SandboxBackbone.open({ stateFile });
		config = withBackbone(network.config(), { baseUrl: backbone.baseUrl });
		gateway = await worksWith(config);
		const port = Number(new URL(backbone.baseUrl).port);
		await backbone.close();
		backbone = await SandboxBackbone.open({ stateFile, port, clientSecret: 'the-new-secret' });
	});

	afterEach(() => backbone.close());

	it('can be mistyped and corrected', async () => {
		await gateway.close();
		expect((await refusal(entering('the-wrong-secret')))['code']).toBe(clientInvalid);
		const opened = await worksWith(entering('the-new-secret'));
		expect(await opened.account.getIdentity()).toEqual(await gateway.account.getIdentity());
		await opened.close();
		expect((await refusal(config))['code']).toBe(wrongClientSecret);
		await worksWith(withBackbone(config, { clientSecret: 'the-new-secret' }));
	});

	it('can be mistyped and corrected while the account is open', async () => {
		const mistyped = await failureOf(gateway.reconfigure(entering('the-wrong-secret')));
		expect(mistyped['code']).toBe(clientInvalid);
		const unproven = await failureOf(gateway.reconfigure(entering('the-new-secret', 'older')));
		expect(unproven['code']).toBe(wrongClientSecret);
		await gateway.reconfigure(entering('the-new-secret'));
		backbone.revokeAccessTokens();
		await settle(gateway);
	});
});

describe('another Backbone URL for an account that is open', () => {
	let config: GatewayConfigInput;
	let gateway: Gateway;
	let server: FixtureServer;

	beforeEach(async () => {
		config = network.config();
		gateway = await worksWith(config);
		server = await FixtureServer.open({
			'GET /api/v2/Version': raw(200, '<html>', 'text/html'),
			'GET /api/v1/Version': empty(404),
		});
	});

	afterEach(() => server.close());

	/** The running gateway is asked with a new login, so that it would show where that goes. */
	const goesOn = async (): Promise<void> => {
		network.backbone.revokeAccessTokens();
		await settle(gateway);
	};

	it('sends nothing to another host', async () => {
		const baseUrl = server.baseUrl.replace('localhost', '127.0.0.1');
		const error = await failureOf(gateway.reconfigure(withBackbone(config, { baseUrl })));
		await goesOn();
		expect(error['code']).toBe('error.gateway.identity.belongsToAnotherBackbone');
		expect(server.seen).toEqual([]);
	});

	it('sends no secret to another port where no Backbone is', async () => {
		const baseUrl = server.baseUrl.replace('127.0.0.1', 'localhost');
		const error = await failureOf(gateway.reconfigure(withBackbone(config, { baseUrl })));
		await goesOn();
		expect(error['code']).toBe('error.gateway.backbone.notABackbone');
		expect(server.seen.length).toBeGreaterThan(0);
		expect(server.seen.every(({ path }) => path.endsWith('/Version'))).toBe(true);
	});

	it('is taken over when our identity can log in there', async () => {
		const proxy = await RenamingProxy.before(network.backbone.baseUrl, () => 'localhost');
		await gateway.reconfigure(withBackbone(config, { baseUrl: proxy.baseUrl }));
		await goesOn();
		await proxy.close();
		await expect(settle(gateway)).rejects.toMatchObject({ kind: 'unavailable' });
		await gateway.reconfigure(config);
		await goesOn();
	});
});

describe('a clock that is wrong', () => {
	it.each([
		['behind', 2 * 3_600_000],
		['ahead', -2 * 3_600_000],
	])('by two hours, %s, does not keep an account from working', async (_, clockOffsetMs) => {
		await network.close();
		network = await SandboxNetwork.open({ clockOffsetMs });
		const gateway = await network.gateway();
		const { clockSkewMs } = await gateway.account.checkConnection();
		expect(Math.abs(clockSkewMs - clockOffsetMs)).toBeLessThan(10_000);
		const template = await gateway.templates.create({
			expiresAt: new Date(Date.now() + 24 * 3_600_000).toISOString(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		expect(template.id).toMatch(/^RLT/);
		await settle(gateway);
	});

	it('is named where it is the reason', async () => {
		await network.close();
		network = await SandboxNetwork.open({ clockOffsetMs: 2 * 3_600_000 });
		const gateway = await network.gateway();
		const create = gateway.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		const error = await failureOf(create);
		expect(error['code']).toMatch(/invalidPropertyValue$/);
		expect(error.message).toMatch(/clock of this machine is 7[12]\d\d s behind/);
		expect(await gateway.templates.list()).toEqual([]);
	});
});

describe('the use cases of an open account', () => {
	it('are functions that may be taken out of their object', async () => {
		const gateway = await network.gateway();
		const { getIdentity } = gateway.account;
		const { create, list } = gateway.settings;
		const { unresolvedSends } = gateway.messages;
		const { recent } = gateway.events;
		expect((await getIdentity()).address).toMatch(/^did:e:/);
		const setting = await create({ key: 'colour', value: { is: 'red' } });
		expect(await list({ query: { key: 'colour' } })).toEqual([setting]);
		expect(await unresolvedSends()).toEqual([]);
		expect(await recent({}, 10)).toEqual([]);
	});
});
