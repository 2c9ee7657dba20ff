import type { Gateway } from '../../../core';
import { ownText, type JsonObject } from '../../../core/model/json';
import { TestClock } from '../../support/clock';
import {
	arrivals,
	inOneHour,
	mailTo,
	relate,
	SandboxNetwork,
	settle,
} from '../../support/gateways';
import { isFirstWarning, openLog } from '../../support/log-lines';
import { openLyingBackbone, type Lies } from '../../support/backbone/lying-backbone';

/* docs/protocol/transport.md 14, 20: external events that no honest Backbone sends. */

jest.setTimeout(60_000);

let network: SandboxNetwork;
let clock: TestClock;
let lies: Lies;
let lines: string[];
let gateway: Gateway;
let peer: Gateway;
let address: string;
let addressOfPeer: string;
let relationshipId: string;

beforeEach(async () => {
	// No repetitions: each test counts what is reported about one event.
	network = await SandboxNetwork.open({ repeatedShare: 0 });
	clock = new TestClock(Date.now());
	lies = {};
	const log = openLog();
	lines = log.lines;
	gateway = await network.gateway(network.config(), {
		clock,
		logger: log.logger,
		openBackbone: openLyingBackbone(lies),
	});
	peer = await network.gateway();
	({ addressA: address, addressB: addressOfPeer, relationshipId } = await relate(gateway, peer));
});
afterEach(() => network.close());

const add = (type: string, payload: JsonObject): void =>
	network.backbone.events.add(address, type, payload);
const told = async (): Promise<string[]> =>
	(await gateway.events.recent({}, 100)).map(({ event }) => event);
const subjects = async (): Promise<unknown[]> =>
	(await gateway.messages.list()).map(({ content }) => ownText(content, 'subject'));

describe('an external event', () => {
	it.each([
		'SomethingNew',
		'TokenLocked',
		'PeerFeatureFlagsChanged',
		'constructor',
		'__proto__',
		'toString',
	])('of the unknown type %s is acknowledged, and noted', async (type) => {
		const before = await told();
		add(type, { relationshipId, id: 'MSG1' });
		expect(await arrivals(gateway)).toMatchObject({ pendingFailures: [] });
		expect(await gateway.account.getSyncStatus()).toMatchObject({ pendingEvents: 0 });
		expect(await told()).toEqual(before);
		expect(lines.some((line) => line.startsWith('info') && line.includes(type))).toBe(true);
	});

	const unusable = 'error.transport.unknown';
	const noObject = 'error.runtime.validation.invalidPropertyValue';
	const unknownHere = 'error.transport.recordNotFound';
	const hidden = 'error.runtime.recordNotFound';
	it.each<[string, JsonObject, string]>([
		['MessageReceived', {}, unusable],
		['MessageReceived', { id: 7 }, unusable],
		['MessageReceived', { id: { toString: 'MSG1' } }, unusable],
		['MessageReceived', { id: '../Relationships/REL1' }, noObject],
		['MessageReceived', { id: 'REL00000000000000001' }, noObject],
		['MessageReceived', { id: 'MSG' + 'x'.repeat(5_000) }, noObject],
		['MessageReceived', { id: 'MSGgone0000000000000' }, hidden],
		['RelationshipStatusChanged', { relationshipId: 'RELforeign0000000000' }, hidden],
		['RelationshipStatusChanged', { relationshipId: null }, unusable],
		['PeerDeleted', { relationshipId: 'RELx', deletionDate: '2030-01-01T00:00:00Z' }, unknownHere],
		['PeerDeleted', { relationshipId: '__proto__', deletionDate: '2030-01-01' }, unknownHere],
		['PeerDeletionCancelled', { relationshipId: 'RELunknown' }, unknownHere],
	])('%s about %j is reported, and holds up nothing', async (type, payload, code) => {
		add(type, payload);
		await peer.messages.send(mailTo(address, 'behind it'));
		const { pendingFailures } = await arrivals(gateway);
		expect(pendingFailures).toMatchObject([{ type, code }]);
		expect(await subjects()).toEqual(['behind it']);
		expect(lines.filter((line) => isFirstWarning(line, code))).toHaveLength(1);
	});

	it.each(['soon', '', '9'.repeat(200), '2030-02-31T00:00:00Z', '+275760-09-14T00:00:00Z'])(
		'with the date %p changes nothing',
		async (deletionDate) => {
			add('PeerToBeDeleted', { relationshipId, deletionDate });
			const { pendingFailures } = await arrivals(gateway);
			expect(pendingFailures).toMatchObject([{ code: unusable }]);
			expect(await gateway.relationships.get(relationshipId)).not.toHaveProperty(
				'peerDeletionInfo',
			);
		},
	);

	it('that comes again under other ids is told once', async () => {
		const deletionDate = '2031-01-01T00:00:00.1234567Z';
		const { address } = await peer.account.getIdentity();
		const identity = network.backbone.state.identities.get(address);
		if (identity === undefined) throw new Error('The sandbox does not know the peer');
		identity.status = 'ToBeDeleted';
		for (let times = 0; times < 3; times++) {
			add('PeerToBeDeleted', { relationshipId, deletionDate });
			add('RelationshipStatusChanged', { relationshipId });
		}
		const before = (await told()).length;
		expect(await arrivals(gateway)).toMatchObject({ pendingFailures: [] });
		expect((await told()).slice(before)).toEqual(['transport.peerToBeDeleted']);
		const { peerDeletionInfo } = await gateway.relationships.get(relationshipId);
		expect(peerDeletionInfo?.deletionDate).toBe('2031-01-01T00:00:00.123Z');
		identity.status = 'Active';
		add('PeerDeletionCancelled', { relationshipId });
		add('PeerDeletionCancelled', { relationshipId });
		await settle(gateway);
		expect((await told()).slice(before + 1)).toEqual(['transport.peerDeletionCancelled']);
	});

	it('about the allocations of a template of another identity is ignored', async () => {
		const { truncatedReference: reference } = await peer.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		const { id } = await gateway.templates.loadPeer({ reference });
		const before = await told();
		add('RelationshipTemplateAllocationsExhausted', { relationshipTemplateId: id });
		add('RelationshipTemplateAllocationsExhausted', { relationshipTemplateId: 'RLTunknown' });
		expect(await arrivals(gateway)).toMatchObject({ pendingFailures: [] });
		expect(await told()).toEqual(before);
	});
});

describe('a relationship that the Backbone shows', () => {
	it('as another one than it was asked for is not taken', async () => {
		const other = await network.gateway();
		const { relationshipId: second } = await relate(gateway, other);
		await peer.relationships.terminate(relationshipId);
		const row = network.backbone.state.relationships.get(second);
		network.backbone.faults.add({
			method: 'GET',
			path: new RegExp(`Relationships/${relationshipId}`),
			action: { kind: 'status', status: 200, body: { result: row } },
		});
		await peer.messages.send(mailTo(address)).catch(() => undefined);
		expect((await arrivals(gateway)).pendingFailures).toMatchObject([
			{ code: 'error.gateway.backbone.unexpectedAnswer' },
		]);
		expect(await gateway.relationships.get(relationshipId)).toMatchObject({ status: 'Active' });
		clock.advance(3_000);
		await settle(gateway);
		expect(await gateway.relationships.get(relationshipId)).toMatchObject({ status: 'Terminated' });
	});
});

describe('a list of the Backbone', () => {
	it('of runs that never ends does not keep us from what has arrived', async () => {
		const { id } = await peer.messages.send(mailTo(address, 'arrived'));
		const answer = (method: string, path: RegExp, result: unknown, times = 1_000): void =>
			void network.backbone.faults.add({
				method,
				path,
				times,
				action: { kind: 'status', status: 200, body: { result } },
			});
		const event = { type: 'MessageReceived', index: 0, createdAt: '2030-01-01T00:00:00.000Z' };
		answer('POST', /SyncRuns$/, { status: 'Created', syncRun: { id: 'SYR1' } });
		answer('GET', /ExternalEvents/, [{ ...event, id: 'SYI1', payload: { id } }], 1);
		answer('GET', /ExternalEvents/, []);
		answer('PUT', /Finalize/, { newUnsyncedExternalEventsExist: true });
		const runs = (): number => network.backbone.calls.count('POST', /SyncRuns$/);
		const before = runs();
		await gateway.account.sync();
		expect(await subjects()).toEqual(['arrived']);
		expect(runs() - before).toBeLessThan(30);
	});

	it('of messages that is said to be endless ends', async () => {
		const pages: unknown[] = [];
		const total = 900_000_000;
		lies['messages.page'] = (page: { items: unknown[] }) => {
			pages.push(page);
			return { ...page, items: [], totalPages: total, totalRecords: total };
		};
		await gateway.messages.send(mailTo(addressOfPeer, 'sent all the same'));
		expect(pages.length).toBeLessThan(5);
	});
});

describe('one thing for which the Backbone never has an answer', () => {
	const odd = 'error.gateway.backbone.unexpectedAnswer';

	/** Two calls, so that neither of them comes with the other. */
	async function send(first: string, second: string): Promise<string> {
		const { id } = await peer.messages.send(mailTo(address, first));
		await peer.messages.send(mailTo(address, second));
		return id;
	}
	const fail = (id: string, status: number, body?: unknown): void =>
		void network.backbone.faults.add({
			method: 'GET',
			path: new RegExp(`Messages.*${id}`),
			times: 1_000,
			action: { kind: 'status', status, ...(body === undefined ? {} : { body }) },
		});

	it('does not hold up the others, and is given up in the end', async () => {
		fail(await send('without an answer', 'behind it'), 500);
		network.backbone.queues.deliverAll();
		const code = 'error.transport.request.resultUndefined';
		expect((await arrivals(gateway)).pendingFailures).toMatchObject([{ code }]);
		expect(await subjects()).toEqual(['behind it']);
		for (let times = 0; times < 5; times++) {
			clock.advance(6 * 3_600_000);
			await settle(gateway);
		}
		const problems = await gateway.problems.list();
		expect(problems).toMatchObject([{ code, isRetriedAutomatically: false }]);
		network.backbone.faults.clear();
		await gateway.problems.retry({ ids: problems.map(({ id }) => id) });
		expect(await subjects()).toEqual(['behind it', 'without an answer']);
	});

	it('is given up in the end, too, if it has an answer of another form', async () => {
		fail(await send('odd', 'behind it'), 200, { result: { id: 'none of this' } });
		expect((await arrivals(gateway)).pendingFailures).toMatchObject([{ code: odd }]);
		expect(await subjects()).toEqual(['behind it']);
		for (let times = 0; times < 5; times++) {
			clock.advance(6 * 3_600_000);
			await settle(gateway);
		}
		expect(await gateway.account.getSyncStatus()).toMatchObject({ parkedEvents: [{ code: odd }] });
	});

	it('is one of few: the others wait for the next sync', async () => {
		for (let times = 0; times < 10; times++) await peer.messages.send(mailTo(address, 'many'));
		fail('', 503);
		const asked = (): number => network.backbone.calls.count('GET', /Messages\/MSG/);
		network.backbone.queues.deliverAll();
		const before = asked();
		await gateway.account.sync();
		const cost = asked() - before;
		network.backbone.faults.clear();
		clock.advance(60_000);
		await settle(gateway);
		expect(await subjects()).toHaveLength(10);
		// Each is repeated twice by the client; all ten would be thirty.
		expect(cost).toBeLessThan(20);
	});
});
