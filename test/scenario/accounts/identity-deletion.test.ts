import {
	judged,
	type Gateway,
	type GatewayProblem,
	type IdentityDeletionProcessDto,
} from '../../../core';
import type { FaultAction } from '../../../sandbox/faults';
import type { IdentityRow } from '../../../sandbox/state/records';
import { failureOf } from '../../core/backbone/fixture-server';
import { arrivals, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { until } from '../../support/until';
import { readVectors } from '../../support/vectors';

/* docs/protocol/transport.md 11, backbone-api.md 9 */
const dayMs = 24 * 3_600_000;
const processes = /\/Identities\/Self\/DeletionProcesses/;
const codes = {
	exists: 'error.runtime.identityDeletionProcess.activeIdentityDeletionProcessAlreadyExists',
	noActive: 'error.runtime.identityDeletionProcess.noActiveIdentityDeletionProcess',
	noApproved: 'error.runtime.identityDeletionProcess.noApprovedIdentityDeletionProcess',
	noWaiting: 'error.runtime.identityDeletionProcess.noWaitingForApprovalIdentityDeletionProcess',
	syncRefused: 'error.platform.validation.syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted',
	deleted: 'error.gateway.identity.deleted',
};

let network: SandboxNetwork;
let gateway: Gateway;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	gateway = await network.gateway();
});

afterEach(() => network.close());

const rowOf = async (who = gateway): Promise<IdentityRow> => {
	const { address } = await who.account.getIdentity();
	const row = network.backbone.state.identities.get(address);
	if (row === undefined) throw new Error(`The sandbox has no identity ${address}`);
	return row;
};

const told = async (who = gateway) =>
	who.events.recent({ names: ['transport.identityDeletionProcessStatusChanged'] }, 50);

const statusesTold = async (who = gateway): Promise<unknown[]> =>
	(await told(who)).map(({ data }) => data.status);

const calls = (method: string): number => network.backbone.calls.count(method, processes);

describe('the deletion of our identity', () => {
	it('is started and cancelled, and told as the official runtime tells it', async () => {
		const started = await gateway.identityDeletion.initiate();
		const { samples } = readVectors<{
			samples: Record<string, { data: IdentityDeletionProcessDto }>;
		}>('transport-events.json');
		const sample = samples['transport.identityDeletionProcessStatusChanged']?.data;
		expect(Object.keys(started)).toEqual(Object.keys(sample ?? {}));
		expect(started).toMatchObject({ status: 'Approved', createdAt: started.approvedAt });
		const length =
			Date.parse(started.gracePeriodEndsAt ?? '') - Date.parse(started.createdAt ?? '');
		expect(length).toBe(14 * dayMs);
		expect(await gateway.identityDeletion.getActive()).toEqual(started);

		const cancelled = await gateway.identityDeletion.cancel();
		expect(cancelled).toMatchObject({ id: started.id, status: 'Cancelled' });
		expect(cancelled).not.toHaveProperty('gracePeriodEndsAt');
		expect(await gateway.identityDeletion.get(started.id)).toEqual(cancelled);
		expect(await gateway.identityDeletion.list()).toEqual([cancelled]);
		expect((await told()).map(({ data }) => data)).toEqual([started, cancelled]);
		expect(await failureOf(gateway.identityDeletion.getActive())).toMatchObject({
			code: codes.noActive,
		});
	});

	it('has the grace period that was asked for', async () => {
		const { createdAt, gracePeriodEndsAt } = await gateway.identityDeletion.initiate({
			lengthOfGracePeriodInDays: 0.5,
		});
		expect(Date.parse(gracePeriodEndsAt ?? '') - Date.parse(createdAt ?? '')).toBe(dayMs / 2);
	});

	it.each([
		[{ lengthOfGracePeriodInDays: '14' }, 'lengthOfGracePeriodInDays'],
		[{ lengthOfGracePeriodInDays: Number.NaN }, 'lengthOfGracePeriodInDays'],
		[{ days: 14 }, ''],
		[{ lengthOfGracePeriodInDays: -1 }, 'lengthOfGracePeriodInDays'],
		[{ lengthOfGracePeriodInDays: 3_651 }, 'lengthOfGracePeriodInDays'],
		[{ lengthOfGracePeriodInDays: 1e300 }, 'lengthOfGracePeriodInDays'],
	])('is not started with the input %j', async (input, field) => {
		expect(await failureOf(gateway.identityDeletion.initiate(judged(input)))).toMatchObject({
			code: 'error.runtime.validation.invalidPropertyValue',
			facts: { field },
		});
		expect((await rowOf()).status).toBe('Active');
	});

	it('is not started with a senseless grace period, and which ones there are is said', async () => {
		const failure = await failureOf(
			gateway.identityDeletion.initiate({ lengthOfGracePeriodInDays: -0.5 }),
		);
		expect(failure).toMatchObject({
			message: expect.stringContaining('from 0 to 3650 days') as string,
		});
		expect(calls('POST')).toBe(0);
	});

	it('is one at a time, and only what is there can be changed or read', async () => {
		const { identityDeletion } = gateway;
		expect((await failureOf(identityDeletion.cancel())).code).toBe(codes.noApproved);
		expect((await failureOf(identityDeletion.approve())).code).toBe(codes.noWaiting);
		expect((await failureOf(identityDeletion.reject())).code).toBe(codes.noWaiting);
		expect((await failureOf(identityDeletion.get('IDPaaaaaaaaaaaaaaaaa'))).code).toBe(
			'error.runtime.recordNotFound',
		);
		const { id } = await identityDeletion.initiate();
		expect(await failureOf(identityDeletion.initiate())).toMatchObject({
			code: codes.exists,
			facts: { deletionProcessId: id, status: 'Approved' },
		});
		expect(calls('POST')).toBe(1);
		await identityDeletion.cancel();
		expect((await failureOf(identityDeletion.cancel())).code).toBe(codes.noApproved);
		expect((await identityDeletion.initiate()).id).not.toBe(id);
	});

	it('stops syncing and sending until it is cancelled, and then nothing is missing', async () => {
		const peer = await network.gateway();
		const { addressA } = await relate(gateway, peer);
		await gateway.identityDeletion.initiate();
		expect(await failureOf(arrivals(gateway))).toMatchObject({
			code: codes.syncRefused,
			remedy: expect.stringMatching(/cancel/i) as string,
		});
		await peer.messages.send(mailTo(addressA));
		await gateway.identityDeletion.cancel();
		expect((await arrivals(gateway)).messages).toHaveLength(1);
		expect(await statusesTold()).toEqual(['Approved', 'Cancelled']);
	});

	it('is told to peers, and so is its end', async () => {
		const peer = await network.gateway();
		const { relationshipId } = await relate(gateway, peer);
		const { gracePeriodEndsAt } = await gateway.identityDeletion.initiate();
		const [relationship] = (await arrivals(peer)).relationships;
		expect(relationship).toMatchObject({
			id: relationshipId,
			peerDeletionInfo: { deletionStatus: 'ToBeDeleted', deletionDate: gracePeriodEndsAt },
		});
		await gateway.identityDeletion.cancel();
		const [again] = (await arrivals(peer)).relationships;
		expect(again).not.toHaveProperty('peerDeletionInfo');
	});
});

describe('the steps that an official runtime took', () => {
	const { sequences } = readVectors<{
		sequences: Array<{
			step: number;
			call: string;
			eventsOfA: Array<{ namespace: string; status: string }>;
			eventsOfB: unknown[];
			backboneCalls: string[];
		}>;
	}>('transport-events.json');
	const recorded = sequences.filter(({ call }) => call.includes('DeletionProcess'));

	/** Support acts; only a Backbone up to 6.56 waits for approval. */
	async function actAsSupport(call: string): Promise<void> {
		const row = await rowOf();
		if (call.endsWith('Started')) {
			network.backbone.deletions.start(row, 'support');
		} else {
			const process = row.deletions.find(({ status }) => status === 'WaitingForApproval');
			if (process === undefined) throw new Error('Nothing waits for approval');
			process.status = 'Cancelled';
			network.backbone.events.add(row.address, 'IdentityDeletionProcessStatusChanged', {
				deletionProcessId: process.id,
			});
		}
		await settle(gateway);
	}

	it('are told in the same way, with the same calls', async () => {
		await network.close();
		network = await SandboxNetwork.open({ hasDeletionApproval: true, apis: ['v1'] });
		gateway = await network.gateway();
		expect(recorded.map(({ step }) => step)).toEqual([52, 53, 54, 55]);
		for (const { call, eventsOfA, eventsOfB, backboneCalls } of recorded) {
			const before = (await told()).length;
			network.backbone.calls.clear();
			if (call.startsWith('initiate')) await gateway.identityDeletion.initiate();
			else if (call.startsWith('cancel')) await gateway.identityDeletion.cancel();
			else await actAsSupport(call);
			const events = (await told()).slice(before);
			expect(events.map(({ event, data }) => ({ namespace: event, status: data.status }))).toEqual(
				eventsOfA,
			);
			expect(eventsOfB).toEqual([]);
			// How a sync asks is our own affair.
			if (call.startsWith('sync')) continue;
			const asked = network.backbone.calls.entries.map(
				({ method, path }) => `${method} ${path.replace(/IDP\w+/, '{IDP…}')}`,
			);
			expect(asked).toEqual(backboneCalls);
		}
	});
});

describe('a deletion that support has started', () => {
	it('is read when a sync is refused because of it', async () => {
		const process = network.backbone.deletions.start(await rowOf(), 'support');
		expect((await failureOf(arrivals(gateway))).code).toBe(codes.syncRefused);
		expect(await gateway.identityDeletion.getActive()).toMatchObject({
			id: process.id,
			status: 'Approved',
		});
		// Being refused again changes nothing.
		await failureOf(arrivals(gateway));
		expect(await statusesTold()).toEqual(['Approved']);
	});

	it('can be cancelled before any sync has seen it', async () => {
		network.backbone.deletions.start(await rowOf(), 'support');
		expect(await gateway.identityDeletion.cancel()).toMatchObject({ status: 'Cancelled' });
		expect(await statusesTold()).toEqual(['Approved', 'Cancelled']);
		// Its external event, which comes now, is old news.
		expect((await arrivals(gateway)).identityDeletionProcesses).toMatchObject([
			{ status: 'Cancelled' },
		]);
		expect(await statusesTold()).toEqual(['Approved', 'Cancelled']);
	});

	it('is read at once by a process that listens to the push stream', async () => {
		const kept = gateway.events.keepSynced({
			intervalMs: 3_600_000,
			push: true,
			onProblem: () => undefined,
		});
		const isConnected = async () => (await gateway.account.getSyncStatus()).pushConnected;
		await until(isConnected);
		await until(() => network.backbone.calls.count('POST', /SyncRuns/) > 0);
		network.backbone.deletions.start(await rowOf(), 'support');
		await until(async () => (await statusesTold()).length === 1);
		kept.release();
	});

	it('and cancelled is told by its external events, once', async () => {
		const row = await rowOf();
		const process = network.backbone.deletions.start(row, 'support');
		network.backbone.deletions.cancel(row, process, 'support');
		const { identityDeletionProcesses, pendingFailures } = await arrivals(gateway);
		expect(identityDeletionProcesses).toMatchObject([{ id: process.id, status: 'Cancelled' }]);
		expect(pendingFailures).toEqual([]);
		expect(await statusesTold()).toEqual(['Cancelled']);
		network.backbone.events.add(row.address, 'IdentityDeletionProcessStatusChanged', {
			deletionProcessId: process.id,
		});
		await settle(gateway);
		expect(await statusesTold()).toEqual(['Cancelled']);
	});

	it('and forgotten by the Backbone stops nothing', async () => {
		const row = await rowOf();
		network.backbone.events.add(row.address, 'IdentityDeletionProcessStarted', {
			deletionProcessId: 'IDPaaaaaaaaaaaaaaaaa',
		});
		expect(await arrivals(gateway)).toMatchObject({
			identityDeletionProcesses: [],
			pendingFailures: [],
		});
	});

	it('is noticed to have been cancelled, by any actor, at the next sync', async () => {
		const row = await rowOf();
		const { id } = await gateway.identityDeletion.initiate();
		const process = row.deletions.find((one) => one.id === id);
		if (process === undefined) throw new Error('The sandbox lost the process');
		// Another device of the identity: the Backbone sends no external event.
		network.backbone.deletions.cancel(row, process, { device: 'DVCaaaaaaaaaaaaaaaaa' });
		expect((await arrivals(gateway)).identityDeletionProcesses).toMatchObject([
			{ id, status: 'Cancelled' },
		]);
		const asked = calls('GET');
		await settle(gateway);
		expect(calls('GET')).toBe(asked);
	});

	it('counts as cancelled when the Backbone does not remember it any more', async () => {
		const row = await rowOf();
		const { id } = await gateway.identityDeletion.initiate();
		row.deletions = [];
		row.status = 'Active';
		await settle(gateway);
		expect(await gateway.identityDeletion.get(id)).toMatchObject({ status: 'Cancelled' });
		await gateway.identityDeletion.initiate();
	});
});

describe('on a Backbone up to 6.56, a deletion that support has started', () => {
	beforeEach(async () => {
		await network.close();
		network = await SandboxNetwork.open({ hasDeletionApproval: true, apis: ['v1'] });
		gateway = await network.gateway();
		network.backbone.deletions.start(await rowOf(), 'support');
	});

	it('waits for approval, and is approved', async () => {
		expect((await arrivals(gateway)).identityDeletionProcesses).toMatchObject([
			{ status: 'WaitingForApproval', approvalPeriodEndsAt: expect.any(String) as string },
		]);
		expect((await failureOf(gateway.identityDeletion.initiate())).code).toBe(codes.exists);
		expect(await gateway.identityDeletion.approve()).toMatchObject({
			status: 'Approved',
			gracePeriodEndsAt: expect.any(String) as string,
		});
		expect(await statusesTold()).toEqual(['WaitingForApproval', 'Approved']);
		expect((await rowOf()).status).toBe('ToBeDeleted');
	});

	it('waits for approval, and is rejected', async () => {
		await settle(gateway);
		expect(await gateway.identityDeletion.reject()).toMatchObject({
			status: 'Rejected',
			rejectedByDevice: expect.stringMatching(/^DVC/) as string,
		});
		expect(await statusesTold()).toEqual(['WaitingForApproval', 'Rejected']);
		expect((await gateway.identityDeletion.initiate()).status).toBe('Approved');
	});
});

describe('when the answer of the Backbone is lost', () => {
	const lose = (method: string, kind: 'cutAfter' | 'malformedBody' | 'truncatedBody') =>
		network.backbone.faults.add({ method, path: processes, action: { kind } });

	it.each(['cutAfter', 'malformedBody', 'truncatedBody'] as const)(
		'(%s), what was begun is found in its list',
		async (kind) => {
			lose('POST', kind);
			const started = await gateway.identityDeletion.initiate();
			expect(started.status).toBe('Approved');
			lose('PUT', kind);
			expect(await gateway.identityDeletion.cancel()).toMatchObject({
				id: started.id,
				status: 'Cancelled',
			});
			expect(await statusesTold()).toEqual(['Approved', 'Cancelled']);
			expect([calls('POST'), calls('PUT')]).toEqual([1, 1]);
		},
	);

	it('and the list, too, the caller is told, and the next sync knows', async () => {
		lose('POST', 'cutAfter');
		const unavailable: FaultAction = { kind: 'status', status: 503 };
		const recover = network.backbone.faults.add({
			method: 'GET',
			path: processes,
			times: 100,
			action: unavailable,
		});
		expect(await failureOf(gateway.identityDeletion.initiate())).toMatchObject({
			kind: 'unavailable',
		});
		expect(await statusesTold()).toEqual([]);
		recover();
		await failureOf(arrivals(gateway));
		expect(await statusesTold()).toEqual(['Approved']);
		lose('PUT', 'cutAfter');
		network.backbone.faults.add({
			method: 'GET',
			path: processes,
			times: 10,
			action: unavailable,
		});
		await failureOf(gateway.identityDeletion.cancel());
		network.backbone.faults.clear();
		await settle(gateway);
		expect(await statusesTold()).toEqual(['Approved', 'Cancelled']);
	});
});

describe('a hostile answer', () => {
	const answer = (method: string, result: object) =>
		network.backbone.faults.add({
			method,
			path: processes,
			action: { kind: 'status', status: 200, body: { result } },
		});

	it.each([
		['names another process', { id: 'IDPbbbbbbbbbbbbbbbbb', status: 'Cancelled' }],
		['says that nothing has changed', { id: '', status: 'Active' }],
	])('that %s cancels nothing here', async (_, change) => {
		const { id } = await gateway.identityDeletion.initiate();
		answer('PUT', { ...change, id: change.id || id });
		answer('GET', [{ id, status: 'Active' }]);
		expect(await failureOf(gateway.identityDeletion.cancel())).toMatchObject({
			code: 'error.gateway.backbone.unexpectedAnswer',
		});
		expect(await gateway.identityDeletion.getActive()).toMatchObject({ id, status: 'Approved' });
	});

	it('that is older than what is known changes nothing', async () => {
		const { id } = await gateway.identityDeletion.initiate();
		const cancelled = await gateway.identityDeletion.cancel();
		answer('GET', { id, status: 'Active', createdAt: '2030-01-01T00:00:00.000Z' });
		network.backbone.events.add((await rowOf()).address, 'IdentityDeletionProcessStatusChanged', {
			deletionProcessId: id,
		});
		await settle(gateway);
		expect(await gateway.identityDeletion.get(id)).toEqual(cancelled);
		expect(await statusesTold()).toEqual(['Approved', 'Cancelled']);
	});

	it('for another process than the requested one is not taken for the answer', async () => {
		answer('GET', { id: 'IDPbbbbbbbbbbbbbbbbb', status: 'Deleting' });
		network.backbone.events.add((await rowOf()).address, 'IdentityDeletionProcessStarted', {
			deletionProcessId: 'IDPaaaaaaaaaaaaaaaaa',
		});
		expect((await arrivals(gateway)).pendingFailures).toMatchObject([
			{ code: 'error.gateway.backbone.unexpectedAnswer' },
		]);
		expect(await gateway.identityDeletion.list()).toEqual([]);
	});
});

describe('when the grace period is over', () => {
	const config = () => network.config();

	async function deleted(runJob: boolean): Promise<{ endsAt: string }> {
		const { gracePeriodEndsAt } = await gateway.identityDeletion.initiate({
			lengthOfGracePeriodInDays: 1,
		});
		network.backbone.advanceClock(dayMs + 1_000);
		if (runJob) network.backbone.deletions.runJob();
		network.backbone.revokeAccessTokens();
		network.backbone.calls.clear();
		return { endsAt: gracePeriodEndsAt ?? '' };
	}

	it.each([
		['before the job of the server has run', false],
		['after everything was erased', true],
	])('%s, each call says that the identity is deleted', async (_, runJob) => {
		const { endsAt } = await deleted(runJob);
		const failure = await failureOf(arrivals(gateway));
		expect(failure).toMatchObject({
			code: codes.deleted,
			kind: 'forbidden',
			remedy: expect.stringContaining('Account Name') as string,
		});
		const state = await gateway.account.checkIfDeleted();
		expect(state.isDeleted).toBe(true);
		expect(failure).toMatchObject({ facts: { deletionDate: state.deletionDate } });
		if (!runJob) expect(state.deletionDate).toBe(endsAt);
		expect((await failureOf(gateway.identityDeletion.cancel())).code).toBe(codes.deleted);
		expect(
			(await failureOf(gateway.messages.send(mailTo('did:e:localhost:dids:' + 'a'.repeat(22)))))
				.code,
		).toMatch(/^error\./);
		// One refused login and one question answer all of these calls.
		const { calls: log } = network.backbone;
		expect(log.entries.filter(({ status }) => status === 400)).toHaveLength(1);
	});

	it('stored data stays, also when the account is opened again', async () => {
		const folder = network.newFolder();
		const peer = await network.gateway();
		gateway = await network.gateway(network.config(folder));
		const { addressA, relationshipId } = await relate(gateway, peer);
		await peer.messages.send(mailTo(addressA));
		await settle(gateway);
		await deleted(true);
		await failureOf(arrivals(gateway));
		await gateway.close();

		const reopened = await network.gateway(network.config(folder));
		expect((await reopened.account.getIdentity()).address).toBe(addressA);
		expect(await reopened.messages.list()).toHaveLength(1);
		expect(await reopened.relationships.get(relationshipId)).toMatchObject({ status: 'Active' });
		expect((await failureOf(arrivals(reopened))).code).toBe(codes.deleted);
	});

	it('a running sync loop reports it once', async () => {
		const problems: Array<GatewayProblem | undefined> = [];
		const kept = gateway.events.keepSynced({
			intervalMs: 5,
			push: true,
			onProblem: (problem) => problems.push(problem),
		});
		await until(() => network.backbone.calls.count('POST', /SyncRuns/) > 1);
		await deleted(true);
		await until(() => problems.some((problem) => problem?.code === codes.deleted));
		expect(problems.filter((problem) => problem?.code === codes.deleted)).toHaveLength(1);
		kept.release();
	});

	it('a Backbone that does not say so is taken at its word about the password', async () => {
		await deleted(true);
		network.backbone.faults.add({
			path: /IsDeleted/,
			times: 10,
			action: { kind: 'status', status: 200, body: { result: { isDeleted: 'maybe' } } },
		});
		expect((await failureOf(arrivals(gateway))).code).toBe('error.transport.request.noAuthGrant');
	});

	it('an identity that lives is not deleted', async () => {
		expect(await gateway.account.checkIfDeleted()).toEqual({ isDeleted: false });
		await gateway.identityDeletion.initiate();
		expect(await gateway.account.checkIfDeleted()).toEqual({ isDeleted: false });
		expect((await network.gateway(config())).account).toBeDefined();
	});
});

function refuseOnce(path: RegExp, status: number, code: string): void {
	const error = { id: 'ERR1', code, message: 'No.', docs: '', time: '2030-01-01T00:00:00.000Z' };
	const action = { kind: 'status', status, body: { error } } as const;
	network.backbone.faults.add({ method: 'POST', path, action });
}

describe('an access token that outlives its identity', () => {
	/** The server takes it for up to five minutes more. */
	async function deleted(): Promise<IdentityDeletionProcessDto> {
		const process = await gateway.identityDeletion.initiate({
			lengthOfGracePeriodInDays: 60_000 / dayMs,
		});
		network.backbone.advanceClock(61_000);
		network.backbone.deletions.runJob();
		network.backbone.calls.clear();
		return process;
	}

	const asked = (): number => network.backbone.calls.count('GET', /IsDeleted/);

	it('makes the first sync say so, and ends the deletion process, once', async () => {
		const { id } = await deleted();
		const failure = await failureOf(arrivals(gateway));
		expect(failure).toMatchObject({ code: codes.deleted, facts: { sent: false } });
		expect(network.backbone.calls.count('POST', /token/)).toBe(0);
		expect(await gateway.identityDeletion.get(id)).toMatchObject({ status: 'Deleted' });
		expect(await statusesTold()).toEqual(['Approved', 'Deleted']);

		expect((await failureOf(arrivals(gateway))).code).toBe(codes.deleted);
		expect(await statusesTold()).toEqual(['Approved', 'Deleted']);
		expect((await failureOf(gateway.identityDeletion.getActive())).code).toBe(codes.noActive);
		expect((await gateway.account.getSyncStatus()).paused).toMatchObject({ code: codes.deleted });
		expect(asked()).toBe(1);
	});

	it('makes a send say so, and everything that is tried afterwards', async () => {
		const peer = await network.gateway();
		const { addressB } = await relate(gateway, peer);
		await deleted();
		expect((await failureOf(gateway.messages.send(mailTo(addressB)))).code).toBe(codes.deleted);
		const template = {
			expiresAt: '2099-01-01T00:00:00.000Z',
			content: { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 1 },
		};
		expect((await failureOf(gateway.templates.create(template))).code).toBe(codes.deleted);
		expect(asked()).toBe(1);
		expect(network.backbone.calls.count('POST', /token/)).toBe(0);
		expect((await gateway.account.checkIfDeleted()).isDeleted).toBe(true);
		// The send has asked for the process before it was made.
		expect(await statusesTold()).toEqual(['Approved', 'Deleting', 'Deleted']);
	});

	it('ends the sync loop', async () => {
		const problems: Array<GatewayProblem | undefined> = [];
		const intervalMs = 5;
		const kept = gateway.events.keepSynced({
			intervalMs,
			push: false,
			onProblem: (problem) => problems.push(problem),
		});
		await until(() => network.backbone.calls.count('POST', /SyncRuns/) > 1);
		await deleted();
		await until(() => problems.some((problem) => problem?.code === codes.deleted));
		await until(async () => (await statusesTold()).at(-1) === 'Deleted');
		const calls = network.backbone.calls.entries.length;
		await new Promise((resolve) => setTimeout(resolve, 20 * intervalMs));
		expect(network.backbone.calls.entries).toHaveLength(calls);
		kept.release();
	});

	it.each([
		['no', { isDeleted: false, deletionDate: null }],
		['nothing of use', { isDeleted: 'maybe' }],
	])('is not evidence alone: the Backbone says %s', async (_, result) => {
		refuseOnce(/SyncRuns/, 404, 'error.platform.recordNotFound');
		network.backbone.faults.add({
			path: /IsDeleted/,
			action: { kind: 'status', status: 200, body: { result } },
		});
		expect((await failureOf(arrivals(gateway))).code).toBe('error.runtime.recordNotFound');
		await settle(gateway);
	});
});

describe('a keeper of the account in sync', () => {
	const problems: Array<GatewayProblem | undefined> = [];
	let kept: { release(): void };
	const runs = (): number => network.backbone.calls.count('POST', /SyncRuns/);
	beforeEach(async () => {
		problems.length = 0;
		kept = gateway.events.keepSynced({
			intervalMs: 5,
			push: false,
			onProblem: (problem) => problems.push(problem),
		});
		await until(() => runs() > 1);
	});
	afterEach(() => kept.release());

	it('is told the state of an identity that is to be deleted once, and when it is over', async () => {
		const { gracePeriodEndsAt = '' } = await gateway.identityDeletion.initiate();
		await until(() => problems.length > 0);
		expect(problems).toEqual([
			{
				code: codes.syncRefused,
				message: expect.stringContaining(gracePeriodEndsAt) as string,
				remedy: expect.stringMatching(/cancel/i) as string,
				isState: true,
			},
		]);
		const { paused, lastFailure } = await gateway.account.getSyncStatus();
		expect(paused).toMatchObject({ code: codes.syncRefused });
		expect(lastFailure).toBeUndefined();
		await gateway.identityDeletion.cancel();
		await until(() => problems.length > 1);
		expect(problems.slice(1)).toStrictEqual([undefined]);
		expect((await gateway.account.getSyncStatus()).paused).toBeUndefined();
	});

	it('asks once for each announcement while the identity is to be deleted, and loses nothing', async () => {
		kept.release();
		const peer = await network.gateway();
		const { addressA } = await relate(gateway, peer);
		const intervalMs = 3_600_000;
		const onProblem = (problem?: GatewayProblem): number => problems.push(problem);
		kept = gateway.events.keepSynced({ intervalMs, push: true, onProblem });
		await until(async () => (await gateway.account.getSyncStatus()).pushConnected);
		const mails = ['one', 'two', 'three', 'four'];
		await gateway.identityDeletion.initiate();
		// Announced before the peer has heard of the deletion; a sync run holds them back.
		for (const subject of mails) await peer.messages.send(mailTo(addressA, subject));
		const before = runs();
		network.backbone.queues.deliverAll();
		await until(() => problems.length > 0);
		await gateway.identityDeletion.cancel();
		await until(async () => (await gateway.messages.list()).length === mails.length);
		expect(problems.map((problem) => problem?.code)).toEqual([codes.syncRefused, undefined]);
		// After each announcement the gateway looks twice more, because an event may come after it.
		expect(runs() - before).toBeLessThanOrEqual(3 * 2 * mails.length);
	});

	it('is told nothing when the deletion was cancelled a moment ago', async () => {
		kept.release();
		await gateway.identityDeletion.initiate();
		await gateway.identityDeletion.cancel();
		refuseOnce(/SyncRuns/, 400, codes.syncRefused);
		refuseOnce(/SyncRuns/, 400, codes.syncRefused);
		await settle(gateway);
		expect(problems).toEqual([]);
		expect(await statusesTold()).toEqual(['Approved', 'Cancelled']);
	});
});
