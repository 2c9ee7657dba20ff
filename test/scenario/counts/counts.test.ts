import type { Gateway } from '../../../core';
import { inOneHour, SandboxNetwork } from '../../support/gateways';
import { CostMeter, type Cost } from './cost-meter';
import { loosely } from '../../support/loosely';

/*
 * What use cases cost, in numbers that are the same on every machine. A test fails when one grows;
 * lower it here when it shrinks. Times are in the benchmark.
 */
const mostOf = {
	'open an account': { statements: 10, calls: 0, bytes: 0 },
	'create a template': { statements: 13, calls: 1, bytes: 1587 },
	'load a template': { statements: 41, calls: 1, bytes: 0 },
	// One of them stores what version 7 tells of the shared attribute.
	'create a relationship': { statements: 84, calls: 2, bytes: 2309 },
	'accept a relationship': { statements: 18, calls: 1, bytes: 1209 },
	'send a mail': { statements: 19, calls: 1, bytes: 1506 },
	'receive ten mails': { statements: 185, calls: 4, bytes: 513 },
	'list fifty messages': { statements: 3, calls: 0, bytes: 0 },
	'create an attribute': { statements: 7, calls: 0, bytes: 0 },
	'sync without news': { statements: 3, calls: 1, bytes: 28 },
	'get the identity': { statements: 0, calls: 0, bytes: 0 },
} satisfies Record<string, Cost>;

type UseCase = keyof typeof mostOf;

const content = {
	'@type': 'RelationshipTemplateContent' as const,
	onNewRelationship: {
		items: [
			{
				'@type': 'ReadAttributeRequestItem' as const,
				mustBeAccepted: true,
				query: { '@type': 'IdentityAttributeQuery' as const, valueType: 'GivenName' as const },
			},
		],
	},
};

const mailTo = (address: string, number: number): object => ({
	'@type': 'Mail' as const,
	to: [address],
	subject: `Mail ${number}`,
	body: 'The quick brown fox jumps over the lazy dog.',
});

let network: SandboxNetwork;
let meter: CostMeter;
const costs = new Map<UseCase, Cost>();

beforeAll(async () => {
	network = await SandboxNetwork.open({ behaviour: 'kind', maxUnreceivedMessages: 100 });
	meter = new CostMeter();
	const measure = async <Result>(
		useCase: UseCase,
		work: () => Promise<Result>,
	): Promise<Result> => {
		let result: Result | undefined;
		costs.set(useCase, await meter.of(async () => (result = await work())));
		return result as Result;
	};
	await runUseCases(measure);
});
afterAll(async () => {
	meter.close();
	await network.close();
});

async function runUseCases(
	measure: <Result>(useCase: UseCase, work: () => Promise<Result>) => Promise<Result>,
): Promise<void> {
	const config = network.config();
	const first = await network.gateway(config);
	await first.account.sync();
	await first.close();
	const ours = await measure('open an account', () => network.gateway(config));
	const peer = await network.gateway();
	await peer.account.sync();
	await ours.account.sync();
	// The first of its kind also prepares what later ones share.
	await ours.templates.create({ content, expiresAt: inOneHour() });
	const template = await measure('create a template', () =>
		ours.templates.create({ content, expiresAt: inOneHour() }),
	);
	const { truncatedReference: reference } = template;
	await measure('load a template', () => peer.templates.loadPeer({ reference }));
	await acceptRequest(peer, measure);
	await ours.account.sync();
	const [pending] = await ours.relationships.list();
	const id = pending?.id ?? '';
	await measure('accept a relationship', () => ours.relationships.accept(id));
	await peer.account.sync();
	const [mine, theirs] = await Promise.all(
		[ours, peer].map(async ({ account }) => (await account.getIdentity()).address),
	);
	const send = (from: Gateway, to = '', number = 0): Promise<unknown> =>
		from.messages.send({ recipients: [to], content: loosely(mailTo(to, number)) });
	await send(ours, theirs);
	await measure('send a mail', () => send(ours, theirs, 1));
	for (let number = 0; number < 60; number++) await send(peer, mine, number % 10);
	await ours.account.sync();
	for (let number = 0; number < 10; number++) await send(peer, mine, number);
	await measure('receive ten mails', () => ours.account.sync());
	await measure('list fifty messages', () => ours.messages.list({ limit: 50 }));
	const create = (value: string): Promise<unknown> =>
		ours.attributes.create({ content: { value: { '@type': 'DisplayName', value } } });
	await create('One');
	await measure('create an attribute', () => create('Two'));
	await measure('sync without news', () => ours.account.sync());
	await measure('get the identity', () => ours.account.getIdentity());
}

/** Accepts the request of the loaded template, which creates the relationship. */
async function acceptRequest(
	peer: Gateway,
	measure: <Result>(useCase: UseCase, work: () => Promise<Result>) => Promise<Result>,
): Promise<void> {
	const [request] = await peer.incomingRequests.list();
	const value = { '@type': 'GivenName' as const, value: 'Ada' };
	const { address: owner } = await peer.account.getIdentity();
	const newAttribute = { '@type': 'IdentityAttribute' as const, owner, value };
	await measure('create a relationship', () =>
		peer.incomingRequests.accept(request?.id ?? '', {
			items: [{ accept: true, newAttribute }],
		}),
	);
}

describe('a use case takes no more than it did: to', () => {
	it.each(Object.keys(mostOf) as UseCase[])('%s', (useCase) => {
		const cost = costs.get(useCase);
		const most = mostOf[useCase];
		expect(cost).toBeDefined();
		const grown = (Object.keys(most) as Array<keyof Cost>).filter(
			(name) => (cost?.[name] ?? Number.NaN) > most[name],
		);
		expect(grown.map((name) => `${name}: ${cost?.[name]} instead of ${most[name]}`)).toEqual([]);
	});
});
