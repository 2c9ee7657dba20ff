import { systemClock } from '../../../core/base/clock';
import { silentLogger } from '../../../core/base/logger';
import { systemRandom } from '../../../core/base/random';
import { parseGatewayConfig } from '../../../core/config';
import { openStore } from '../../../core/store/open-store';
import type { Gateway } from '../../../core';
import type { JsonObject } from '../../../core/model/json';
import { arrivals, inOneHour, mailTo, relate, SandboxNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';
import { loosely } from '../../support/loosely';
import { openCarelessPeer, type CarelessPeer } from '../../support/peer/careless-peer';

jest.setTimeout(60_000);

/* docs/protocol/content.md 13.4: what is known of the release of a peer, and what follows from it. */

const notUnderstood = 'error.gateway.requests.notUnderstoodByPeer';
const freeText = { '@type': 'FreeTextRequestItem', mustBeAccepted: true, freeText: 'Why?' };
const askFor = (valueType: string): JsonObject => ({
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted: true,
	query: { '@type': 'IdentityAttributeQuery', valueType },
});
const before = (release: number, type: string): string =>
	`Wallets before version ${release} cannot read ${type}.`;

const log = openLog();
let network: SandboxNetwork;
let gateway: Gateway;
let wallet: CarelessPeer;
let own: string;
let peer: string;
beforeEach(async () => {
	network = await SandboxNetwork.open();
	gateway = await network.gateway(network.config(), { logger: log.logger });
	const config = network.config();
	const other = await network.gateway(config);
	({ addressA: own, addressB: peer } = await relate(gateway, other));
	await other.close();
	const base = { clock: systemClock, random: systemRandom, logger: silentLogger };
	const store = await openStore(parseGatewayConfig(config), base);
	await store.transact(async (tx) => {
		const [entry] = await tx.relationships.list();
		// To version 6, content is written as it is.
		if (entry !== undefined) await tx.relationships.update({ ...entry.record, peerVersion: 6 });
	});
	await store.close();
	wallet = await openCarelessPeer(config);
});
afterEach(async () => {
	await wallet.close();
	await network.close();
});

async function receive(content: JsonObject): Promise<void> {
	await wallet.send(own, content);
	expect((await arrivals(gateway)).pendingFailures).toEqual([]);
}

let requests = 0;
const receiveItem = async (item: JsonObject): Promise<void> => {
	const id = `REQ${String(++requests).padStart(17, '0')}`;
	await receive({ '@type': 'Request', id, items: [{ mustBeAccepted: true, ...item }] });
};

const receiveMail = async (more: JsonObject): Promise<void> =>
	await receive({ '@type': 'Mail', to: [own], cc: [], subject: 'Hi', body: 'Text', ...more });

const versionOfWallet = async () => (await gateway.contacts.get(peer)).walletVersion;

const resultOf = async (item: JsonObject) => {
	const { items } = await gateway.outgoingRequests.validate(
		loosely({ content: { items: [item] }, peer }),
	);
	return items[0];
};

const sendMarkdown = async (): Promise<string[]> => {
	const hints: string[] = [];
	const { recipients, content } = mailTo(peer, 'Visit', '**Both** forms');
	const message = { recipients, content: { ...content, bodyFormat: 'Markdown' as const } };
	await gateway.messages.send(message, { onHint: (hint) => hints.push(hint) });
	return hints;
};

it('what an unknown wallet may not read is said before it is sent', async () => {
	expect(await versionOfWallet()).toBeUndefined();
	expect(await resultOf(askFor('GivenName'))).toEqual({ isSuccess: true, items: [] });
	expect(await resultOf(askFor('MaritalStatus'))).toEqual({
		isSuccess: true,
		items: [],
		hint: before(7.2, 'MaritalStatus'),
	});
	expect(await resultOf(freeText)).toMatchObject({
		isSuccess: true,
		hint: 'Wallets of version 7 cannot read the item: they do not know FreeTextRequestItem.',
	});
	const tagged = { '@type': 'IdentityAttributeQuery', valueType: 'GivenName', tags: ['a:b'] };
	expect(await resultOf({ ...askFor('GivenName'), query: tagged })).toMatchObject({
		isSuccess: true,
		hint: "Wallets of version 7 do not accept 'a:b' in 'query.tags.0'.",
	});
	expect(await sendMarkdown()).toEqual([expect.stringContaining(peer)]);
	expect(log.lines).toContainEqual(expect.stringMatching(/^warn.*Markdown/));
});

it('a template for everybody is created with a hint', async () => {
	const hints: string[] = [];
	const onNewRelationship = { '@type': 'Request', items: [askFor('SchematizedJSON')] };
	const content = { '@type': 'RelationshipTemplateContent', onNewRelationship };
	await gateway.templates.create(loosely({ expiresAt: inOneHour(), content }), {
		onHint: (hint) => hints.push(hint),
	});
	expect(hints).toEqual([`Item 1: ${before(7.4, 'SchematizedJSON')}`]);
});

it('a wallet of version 7 is known by the latest release that it has shown', async () => {
	await receiveItem({ '@type': 'ConsentRequestItem', consent: 'c', requiresInteraction: false });
	expect(await versionOfWallet()).toBe(7);
	expect(await resultOf(freeText)).toMatchObject({ code: notUnderstood });
	expect(await resultOf(askFor('BankAccount'))).toMatchObject({
		isSuccess: true,
		hint: before(7.1, 'BankAccount'),
	});
	expect(await sendMarkdown()).toHaveLength(1);

	await receiveMail({ bodyFormat: 'PlainText' });
	expect(await versionOfWallet()).toBe(7.1);
	expect(await resultOf(askFor('BankAccount'))).toEqual({ isSuccess: true, items: [] });
	expect(await sendMarkdown()).toEqual([]);

	await receiveItem(askFor('MaritalStatus'));
	expect(await versionOfWallet()).toBe(7.2);
	expect(await resultOf(askFor('MaritalStatus'))).toEqual({ isSuccess: true, items: [] });
	expect(await resultOf(askFor('VerifiableCredential'))).toMatchObject({
		hint: before(7.5, 'VerifiableCredential'),
	});

	await receiveMail({});
	expect(await versionOfWallet()).toBeUndefined();
});

it('what a gateway in doubt writes tells no release', async () => {
	await receiveItem(askFor('VerifiableCredential'));
	await receiveMail({ bodyFormat: 'Markdown' });
	expect(await versionOfWallet()).toBeUndefined();
});

it('a wallet that was taken for version 7.5 is known as version 6 by its next content', async () => {
	await receiveMail({ bodyFormat: 'PlainText' });
	await receiveItem(askFor('VerifiableCredential'));
	expect(await versionOfWallet()).toBe(7.5);
	expect(await resultOf(freeText)).toMatchObject({
		code: notUnderstood,
		message: expect.stringContaining('version 7'),
	});
	const asked = { content: { items: [askFor('MaritalStatus')] }, peer };
	const sent = await gateway.outgoingRequests.create(loosely(asked));
	await gateway.messages.send({ recipients: [peer], content: sent.content });

	await receiveItem({ '@type': 'AuthenticationRequestItem' });
	expect(await versionOfWallet()).toBe(6);
	expect(await resultOf(freeText)).toEqual({ isSuccess: true, items: [] });
	// The wallet cannot have read the request, which the same check now explains.
	expect(await gateway.outgoingRequests.get(sent.id)).toMatchObject({ status: 'Open' });
	expect(await resultOf(askFor('MaritalStatus'))).toMatchObject({
		code: notUnderstood,
		message:
			'The peer has a wallet of version 6, which does not read the item: they cannot be asked for MaritalStatus.',
	});
});
