import type { GatewayConfigInput } from '../../../../core';
import { inOneHour, relate, settle } from '../../../support/gateways';
import { HttpGateway } from '../support/http-gateway';
import { ThreeGateways, type Side } from './three-gateways';

jest.setTimeout(120_000);

/* docs/protocol/connector-7.md 8, docs/protocol/generation-7.md 12 */
type Rule = NonNullable<GatewayConfigInput['automation']>[number];
type Keys = Rule['requestConfig'];

let world: ThreeGateways;
let decider: HttpGateway;
let peer: string;

const attributeOf = (owner: string) => ({
	'@type': 'IdentityAttribute',
	owner,
	value: { '@type': 'Surname', value: 'Beispiel' },
});
const itemOf = (type: string, more: object = {}) => ({
	'@type': `${type}RequestItem`,
	mustBeAccepted: true,
	...more,
});
const keeping = (more: object = {}) =>
	itemOf('CreateAttribute', { attribute: attributeOf(''), ...more });
const typeKey = 'content.item.@type';

/** What a rule asks of a request beside its title, the request, and whether the rule decides. */
const cases: ReadonlyArray<[string, Keys, object, boolean]> = [
	['to keep an attribute', {}, { items: [keeping()] }, true],
	[
		'with a link for credentials',
		{},
		{ items: [itemOf('ShareCredentialOffer', { credentialOfferUrl: 'openid://x' })] },
		false,
	],
	['for consent', {}, { items: [itemOf('Consent', { consent: 'Call me.' })] }, false],
	['to sign in', {}, { items: [itemOf('Authentication', { title: 'Sign in' })] }, false],
	[
		'to keep an attribute and to sign in',
		{},
		{
			items: [
				keeping(),
				{
					'@type': 'RequestItemGroup',
					items: [itemOf('Authentication', { mustBeAccepted: false, title: 'Sign in' })],
				},
			],
		},
		false,
	],
	[
		'whose item fits the rule',
		{ [typeKey]: 'CreateAttributeRequestItem', 'content.item.description': 'yes' },
		{ items: [keeping({ description: 'yes' })] },
		true,
	],
	[
		'whose item does not fit',
		{ 'content.item.description': 'yes' },
		{ items: [keeping({ description: 'no' })] },
		false,
	],
	[
		'that expires late enough',
		{ 'content.expiresAt': '>2020-01-01' },
		{ expiresAt: inOneHour(), items: [keeping()] },
		true,
	],
	[
		'that expires too late',
		{ 'content.expiresAt': '<2020-01-01' },
		{ expiresAt: inOneHour(), items: [keeping()] },
		false,
	],
	[
		'with a text at another key than one in At',
		{ 'content.metadata.openFrom': '>2020-01-01' },
		{ metadata: { openFrom: '2030-01-01' }, items: [keeping()] },
		false,
	],
	[
		'with the same text there',
		{ 'content.metadata.openFrom': '2030-01-01' },
		{ metadata: { openFrom: '2030-01-01' }, items: [keeping()] },
		true,
	],
];

const yes = { accept: true };
const sharing = 'to take an attribute';
const rules: Rule[] = [[sharing, {}] as const, ...cases].map(([title, keys]) => ({
	requestConfig: { 'content.title': title, ...keys },
	responseConfig: yes,
}));

beforeAll(async () => {
	world = await ThreeGateways.open();
	const { network, a } = world;
	decider = await HttpGateway.open(
		network,
		{ connectorVersion: 7 },
		{ ...network.config(), oneAttributeId: true, automation: rules },
	);
	({ addressB: peer } = await relate(a.http.gateway, decider.gateway));
});
afterAll(async () => {
	await decider.close();
	await world.close();
});

async function isDecided({ ask }: Side, content: object): Promise<boolean> {
	const created = await ask('POST /Requests/Outgoing', { json: { content, peer } });
	expect([created.error, created.status]).toEqual([undefined, 201]);
	const { content: sent } = created.result;
	await ask('POST /Messages', { json: { recipients: [peer], content: sent } });
	await settle(decider.gateway);
	const call = `GET /api/core/v1/Requests/Incoming/${created.result.id}`;
	const { status, wasAutomaticallyDecided } = (await decider.ask(call)).result;
	expect(status).toBe(wasAutomaticallyDecided === true ? 'Completed' : 'ManualDecisionRequired');
	return wasAutomaticallyDecided === true;
}

describe('a rule decides about a request', () => {
	// shows connector-7 8: paragraph 2; generation-7 12: requests with an Authentication or;
	// {accept: true}; dates
	it.each(cases)('%s', async (title, _keys, content, expected) => {
		expect(await isDecided(world.a, { title, ...content })).toBe(expected);
	});

	// shows generation-7 12: {accept: true}
	it(sharing, async () => {
		const { id, content: attribute } = await world.a.http.gateway.attributes.create({
			content: { value: { '@type': 'GivenName', value: 'Ada' } },
		});
		const items = [itemOf('ShareAttribute', { attribute, attributeId: id })];
		expect(await isDecided(world.a, { title: sharing, items })).toBe(true);
	});
});

describe('at the start', () => {
	const starting = async (rule: Rule, version: 6 | 7): Promise<unknown> => {
		const { network } = world;
		const config = { ...network.config(), oneAttributeId: version === 7, automation: [rule] };
		try {
			await (await network.gateway(config)).close();
			return 'starts';
		} catch (error) {
			return error;
		}
	};
	const named = (type: unknown, responseConfig: Rule['responseConfig'] = yes): Rule => ({
		requestConfig: { [typeKey]: type },
		responseConfig,
	});
	const mismatch = 'error.runtime.decide.requestConfigDoesNotMatchResponseConfig';

	// shows generation-7 12: {accept: true}
	it.each<[string, string | undefined]>([
		['CreateAttribute', undefined],
		['FormField', undefined],
		['ShareAttribute', undefined],
		['ShareAuthorizationRequest', undefined],
		['ShareCredentialOffer', undefined],
		['TransferFileOwnership', undefined],
		['DeleteAttribute', mismatch],
		['ProposeAttribute', mismatch],
		['ReadAttribute', mismatch],
	])('a plain yes to %s items', async (type, code) => {
		const started = await starting(named(`${type}RequestItem`), 7);
		if (code === undefined) expect(started).toBe('starts');
		else expect(started).toMatchObject({ code });
	});

	// shows connector-7 8: paragraph 2; generation-7 12: rule keys
	it.each<[string, Rule, string]>([
		[
			'content.item.title',
			{ requestConfig: { 'content.item.title': 'Name' }, responseConfig: { accept: false } },
			"has the key 'content.item.title'",
		],
		[
			'content.item.query.validTo',
			{ requestConfig: { 'content.item.query.validTo': '<2040' }, responseConfig: yes },
			"has the key 'content.item.query.validTo'",
		],
		[
			'content.item.consent',
			{ requestConfig: { 'content.item.consent': 'Call me.' }, responseConfig: yes },
			"has the key 'content.item.consent'",
		],
		[typeKey, named('AuthenticationRequestItem'), "names 'AuthenticationRequestItem'"],
		[
			typeKey,
			named(['ShareAttributeRequestItem', 'ConsentRequestItem']),
			"names 'ConsentRequestItem'",
		],
		[
			typeKey,
			named('FreeTextRequestItem', { ...yes, freeText: 'x' } as Rule['responseConfig']),
			"names 'FreeTextRequestItem'",
		],
		[
			typeKey,
			named('RegisterAttributeListenerRequestItem'),
			"names 'RegisterAttributeListenerRequestItem'",
		],
	])('a rule with %s is refused by its name: %#', async (key, rule, text) => {
		expect(await starting(rule, 7)).toMatchObject({
			code: 'error.gateway.configuration.invalid',
			message: expect.stringContaining(`Automation rule 1 ${text}`) as string,
			remedy: expect.stringContaining('Leave the key or the rule out') as string,
			facts: { field: `automation.0.requestConfig.${key}` },
		});
		expect(await starting(rule, 6)).toBe('starts');
	});
});
