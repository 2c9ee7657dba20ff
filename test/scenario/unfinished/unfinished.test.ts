import { workIn } from '../../support/records';
import type { Gateway, ProblemDto } from '../../../core';
import { backboneErrors } from '../../../core/backbone/backbone-errors';
import { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { systemRandom } from '../../../core/base/random';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { TestClock } from '../../support/clock';
import { mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { watchBackbone } from '../../support/backbone/watched-backbone';
import { unfinishedKinds, type BrokenCalls } from './unfinished-kinds';
import { loosely } from '../../support/loosely';

jest.setTimeout(60_000);

const hourMs = 3_600_000;
const login = {
	'@type': 'AuthenticationRequestItem' as const,
	mustBeAccepted: true,
	title: 'Log in',
};

let network: SandboxNetwork;
let clock: TestClock;
let gateway: Gateway;
let peer: Gateway;
let friend: Gateway;
let broken: BrokenCalls = {};
let address: string;

beforeEach(async () => {
	broken = {};
	network = await SandboxNetwork.open();
	clock = new TestClock(Date.now());
	const transfers = {
		requestConfig: { 'content.item.@type': 'TransferFileOwnershipRequestItem' },
		responseConfig: { accept: true },
	};
	gateway = await network.gateway(
		{ ...network.config(), automation: [transfers] },
		{
			clock,
			openBackbone: (options) =>
				watchBackbone(
					HttpBackbone.open({ ...options, clock, random: systemRandom }),
					async (name, call) => {
						const isBroken = broken[name];
						if (isBroken === undefined) return await call();
						const answer = isBroken === 'unsent' ? undefined : await call().catch((error) => error);
						if (isBroken === 'unsent' || isBroken(answer)) {
							throw backboneErrors.create('unexpectedAnswer', { message: 'It does not fit.' });
						}
						if (answer instanceof Error) throw answer;
						return answer;
					},
				),
		},
	);
	peer = await network.gateway();
	friend = await network.gateway();
	await relate(friend, gateway);
	({ address } = await gateway.account.getIdentity());
	await gateway.messages.send(mailTo((await friend.account.getIdentity()).address, 'before'));
});

afterEach(() => network.close());

/** Mails, requests and relationships go on between the account and others. */
async function everythingElseFlows(): Promise<void> {
	const asked = await friend.outgoingRequests.create({
		content: { items: [login] },
		peer: address,
	});
	const mail = await friend.messages.send(mailTo(address, 'a mail'));
	await friend.messages.send({ recipients: [address], content: asked.content });
	await settle(gateway);
	expect(await gateway.messages.get(mail.id)).toMatchObject({ isOwn: false });
	await gateway.incomingRequests.accept(asked.id, { items: [{ accept: true }] });
	await settle(friend);
	expect(await friend.outgoingRequests.get(asked.id)).toMatchObject({ status: 'Completed' });
	const stranger = await network.gateway();
	const { truncatedReference: reference } = await gateway.templates.create({
		expiresAt: new Date(clock.now() + hourMs).toISOString(),
		content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
	});
	const { id: templateId } = await stranger.templates.loadPeer({ reference });
	const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 1 };
	const { id } = await stranger.relationships.create({ templateId, creationContent });
	await settle(gateway);
	await gateway.relationships.accept(id);
	await settle(stranger);
	expect(await stranger.relationships.get(id)).toMatchObject({ status: 'Active' });
}

const listed = async (id: string): Promise<ProblemDto | undefined> =>
	(await gateway.problems.list()).find((problem) => problem.id === id);

const told = async (id: string): Promise<unknown[]> =>
	(await gateway.events.recent({ names: ['gateway.changeUnfinished'] }, 100))
		.map(({ data }) => data)
		.filter((data) => (data as { id: string }).id === id);

/** Time passes in the account, with a sync in between, as often. */
async function hoursPass(hours: number): Promise<void> {
	for (let hour = 0; hour < hours; hour++) {
		await gateway.account.sync();
		clock.advance(hourMs);
	}
	await gateway.account.sync();
}

describe.each(unfinishedKinds)('$title whose answer never fits', (kind) => {
	it('does not block other work, is listed in the end, and finished when the answers are right', async () => {
		const context = {
			network,
			gateway,
			peer,
			friend,
			breakCalls: (calls: BrokenCalls) => (broken = calls),
		};
		const { id, isFinished, peerGoesOn } = await kind.begin(context);
		await gateway.account.sync();
		await everythingElseFlows();
		await hoursPass(3);
		await everythingElseFlows();
		const { subject, isDiscardable } = kind;
		expect(await listed(id)).toMatchObject({ kind: kind.kind, subject, isDiscardable });
		if (!isDiscardable) {
			await expect(gateway.problems.discard({ ids: [id] })).rejects.toMatchObject({
				code: 'error.gateway.problems.notDiscardable',
			});
		}
		await hoursPass(12);
		expect(await told(id)).toHaveLength(kind.isAttempted ? 1 : 0);

		broken = {};
		await gateway.problems.retry({ all: true });
		await peerGoesOn?.();
		await settle(gateway);
		expect(await isFinished()).toBe(true);
		expect(await gateway.problems.list()).toEqual([]);
	});
});

describe('a change whose endpoint always answers 500', () => {
	it('counts as failed while the Backbone answers everything else, and not when nothing is answered', async () => {
		const { id } = await gateway.files.upload(
			{ filename: 'a.txt', mimetype: 'text/plain' },
			new Uint8Array([1]),
		);
		const refuse = (path: RegExp) =>
			network.backbone.faults.add({
				path,
				times: 10_000,
				action: { kind: 'status', status: 500, body: {} },
			});
		const restoreFiles = refuse(/Files/);
		await expect(gateway.files.delete(id)).rejects.toMatchObject({ kind: 'unavailable' });
		const tries = async (): Promise<number | undefined> =>
			(await workIn(partsOf(gateway).store, id))?.attempts;
		await gateway.account.sync();
		expect(await tries()).toBe(1);
		await everythingElseFlows();

		const before = await tries();
		const restoreAll = refuse(/Relationships|Messages|Deletion/);
		clock.advance(hourMs);
		await expect(gateway.account.sync()).rejects.toMatchObject({ kind: 'unavailable' });
		expect(await tries()).toBe(before);
		restoreAll();
		restoreFiles();
		await gateway.account.sync();
		expect(await gateway.files.list()).toEqual([]);
	});
});

describe('a change that waits for its next try', () => {
	let id: string;
	beforeEach(async () => {
		({ id } = await gateway.files.upload(
			{ filename: 'a.txt', mimetype: 'text/plain' },
			new Uint8Array([1]),
		));
		broken = { 'files.delete': 'unsent' };
		await expect(gateway.files.delete(id)).rejects.toThrow();
		await hoursPass(3);
	});

	it('makes no sync a longer one, and is tried at once when a person wants it', async () => {
		network.backbone.calls.clear();
		await gateway.account.sync();
		const calls = network.backbone.calls.entries
			.map(({ method, path }) => `${method} ${path}`)
			// The moved clock may lead to a look for messages that a backup lacks.
			.filter((call) => !/^GET .*Messages/.test(call));
		expect(calls).toEqual([expect.stringMatching(/POST .*SyncRuns/)]);
		const kind = 'unfinishedChange';
		expect(await gateway.problems.retry({ ids: [id] })).toMatchObject([
			{ id, kind, outcome: 'failed', code: backboneErrors.unexpectedAnswer.code },
		]);
		broken = {};
		expect(await gateway.problems.retry({ ids: [id] })).toEqual([{ id, kind, outcome: 'solved' }]);
		expect(await gateway.files.list()).toEqual([]);
	});

	it('is given up by a person, and can be begun anew', async () => {
		expect(await gateway.problems.discard({ ids: [id] })).toMatchObject([
			{ id, kind: 'unfinishedChange', outcome: 'discarded' },
		]);
		expect(await gateway.problems.list()).toEqual([]);
		broken = {};
		await gateway.files.delete(id);
		expect(await gateway.files.list()).toEqual([]);
	});
});

describe('an automatic decision', () => {
	it('is not carried out any more when the request has expired between two tries', async () => {
		const { addressB } = await relate(peer, gateway);
		const file = await peer.files.upload(
			{ filename: 'a.txt', mimetype: 'text/plain' },
			new Uint8Array([1]),
		);
		const transfer = {
			'@type': 'TransferFileOwnershipRequestItem' as const,
			mustBeAccepted: true,
			fileReference: file.truncatedReference,
			ownershipToken: file.ownershipToken,
		};
		const expiresAt = new Date(clock.now() + 2 * hourMs).toISOString();
		const asked = await peer.outgoingRequests.create({
			content: { items: [loosely(transfer)], expiresAt },
			peer: addressB,
		});
		await peer.messages.send({ recipients: [addressB], content: asked.content });
		broken = { 'files.claimOwnership': 'unsent' };
		await settle(gateway);
		const request = () => gateway.incomingRequests.get(asked.id);
		expect(['Completed', 'Expired']).not.toContain((await request()).status);

		clock.advance(3 * hourMs);
		broken = {};
		await settle(gateway, peer);
		expect((await request()).status).toBe('Expired');
		expect(await peer.files.get(file.id)).toMatchObject({ isOwn: true });
	});
});
