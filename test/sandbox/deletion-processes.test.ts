import { deletedIdentityPseudonyms } from '../../core/model/address';
import { eventStream } from './support/event-stream';
import {
	requireAtOnce,
	type Api,
	bytes,
	message,
	type RawAnswer,
	RuleBench,
	SandboxBench,
	sandboxOf,
	unknownId,
} from './support/raw-client';

/* docs/protocol/backbone-api.md 9 */
const processes = 'Identities/Self/DeletionProcesses';
const dayMs = 24 * 3_600_000;
const refusal = ({ status, code }: RawAnswer): string => `${status} ${code}`;
const device = (code: string): string => `400 error.platform.validation.device.${code}`;

let bench: RuleBench;

beforeEach(async () => {
	bench = await RuleBench.open();
});

afterEach(() => bench.close());

/** Lets time pass; access tokens do not live as long. */
async function pass(days: number, ...accounts: ReadonlyArray<{ logIn(): Promise<RawAnswer> }>) {
	sandboxOf(bench).advanceClock(days * dayMs);
	sandboxOf(bench).deletions.runJob();
	for (const account of accounts) await account.logIn();
}

const identityOf = (address: string) => {
	const identity = sandboxOf(bench).state.identities.get(address);
	if (identity === undefined) throw new Error(`The sandbox has no identity ${address}`);
	return identity;
};

describe.each([
	['v1', 'Approved'],
	['v2', 'Active'],
] as const)('over %s, a deletion process', (api: Api, running: string) => {
	it('is started, shown and cancelled by the identity itself', async () => {
		const account = await bench.account(api);
		const started = await account.call('POST', processes, {});
		expect(started.status).toBe(201);
		const { id, createdAt, gracePeriodEndsAt, createdByDevice } = started.result;
		expect(started.result).toEqual({
			id: expect.stringMatching(/^IDP\w{17}$/) as string,
			status: running,
			createdAt,
			createdByDevice: expect.stringMatching(/^DVC/) as string,
			approvedAt: createdAt,
			approvedByDevice: createdByDevice,
			gracePeriodEndsAt,
			gracePeriodReminder1SentAt: null,
			gracePeriodReminder2SentAt: null,
			gracePeriodReminder3SentAt: null,
		});
		expect(Date.parse(String(gracePeriodEndsAt)) - Date.parse(String(createdAt))).toBe(14 * dayMs);
		expect((await account.call('GET', processes)).result).toEqual([started.result]);
		expect((await account.call('GET', `${processes}/${String(id)}`)).result).toEqual(
			started.result,
		);
		expect((await account.call('GET', 'Identities/Self')).result).toMatchObject({
			status: 'ToBeDeleted',
			deletionGracePeriodEndsAt: gracePeriodEndsAt,
		});

		const cancelled = await account.call('PUT', `${processes}/${String(id)}/Cancel`, {});
		expect(cancelled.result).toMatchObject({ status: 'Cancelled', gracePeriodEndsAt: null });
		expect((await account.call('GET', 'Identities/Self')).result).toMatchObject({
			status: 'Active',
			deletionGracePeriodEndsAt: null,
		});
		// What was cancelled is kept for 30 days.
		await pass(29, account);
		expect((await account.call('GET', processes)).result).toHaveLength(1);
		await pass(2, account);
		expect((await account.call('GET', processes)).result).toEqual([]);
	});

	it('is one at a time, can be cancelled once, and is found by its identity only', async () => {
		const [account, other] = [await bench.account(api), await bench.account(api)];
		const { id } = (await account.call('POST', processes, {})).result;
		expect(refusal(await account.call('POST', processes, {}))).toBe(
			device('onlyOneActiveDeletionProcessAllowed'),
		);
		const cancel = `${processes}/${String(id)}/Cancel`;
		expect(refusal(await other.call('PUT', cancel, {}))).toBe('404 error.platform.recordNotFound');
		expect(refusal(await account.call('GET', `${processes}/${unknownId('IDP')}`))).toBe(
			'404 error.platform.recordNotFound',
		);
		await account.call('PUT', cancel, {});
		expect(refusal(await account.call('PUT', cancel, {}))).toBe(
			device('deletionProcessIsNotInRequiredStatus'),
		);
		expect((await account.call('POST', processes, {})).status).toBe(201);
	});

	it('has the length that was asked for, when that is one', async () => {
		const account = await bench.account(api);
		const start = (days: unknown) =>
			account.call('POST', processes, { lengthOfGracePeriodInDays: days });
		expect(refusal(await start('long'))).toBe('400 error.platform.inputCannotBeParsed');
		const { createdAt, gracePeriodEndsAt } = (await start(0.5)).result;
		expect(Date.parse(String(gracePeriodEndsAt)) - Date.parse(String(createdAt))).toBe(dayMs / 2);
	});

	it('is over at once after a negative length', async () => {
		const account = await bench.account(api);
		expect((await account.call('POST', processes, { lengthOfGracePeriodInDays: -1 })).status).toBe(
			201,
		);
		expect((await account.logIn()).body).toMatchObject({ error: 'invalid_grant' });
	});

	it('has no approval any more', async () => {
		const account = await bench.account(api);
		const { id } = (await account.call('POST', processes, {})).result;
		for (const verb of ['Approve', 'Reject']) {
			const answer = await account.call('PUT', `${processes}/${String(id)}/${verb}`, {});
			expect([answer.status, answer.body]).toEqual([404, undefined]);
		}
	});

	it('leaves reading and nothing that counts against a quota', async () => {
		requireAtOnce(bench);
		const { to, from, id } = await bench.active(api);
		await to.call('POST', processes, {});
		const quota = '429 error.platform.quotaExhausted';
		const template = await to.call('POST', 'RelationshipTemplates', { content: bytes(1) });
		expect(refusal(template)).toBe(quota);
		expect((template.body as { error: { data: unknown } }).error.data).toEqual([
			{ metricKey: expect.any(String) as string, isExhaustedUntil: expect.any(String) as string },
		]);
		expect(refusal(await to.call('POST', 'Messages', message(from.address)))).toBe(quota);
		const run = await to.call('POST', 'SyncRuns', {}, { 'x-supported-datawallet-version': '1' });
		expect(refusal(run)).toBe(
			'400 error.platform.validation.syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted',
		);
		expect((await to.call('GET', `Relationships/${id}`)).status).toBe(200);
		expect((await from.call('POST', 'Messages', message(to.address))).status).toBe(201);
		const stranger = await bench.account(api);
		const peer = encodeURIComponent(to.address);
		expect((await stranger.call('GET', `Relationships/CanCreate?peer=${peer}`)).result).toEqual({
			canCreate: false,
			code: 'error.platform.validation.relationship.peerIsToBeDeleted',
		});
	});

	it('is told to peers, and taken back', async () => {
		requireAtOnce(bench);
		const { to, from, id } = await bench.active(api);
		const { id: processId, gracePeriodEndsAt } = (await to.call('POST', processes, {})).result;
		const [told, ...more] = await from.sync();
		expect(more).toEqual([]);
		// Payloads have more digits than all else, also where these are zeros.
		const deletionDate = expect.stringMatching(/\.\d{7}Z$/) as string;
		expect(told).toMatchObject({
			type: 'PeerToBeDeleted',
			payload: { relationshipId: id, deletionDate },
		});
		const { deletionDate: shown } = told?.['payload'] as { deletionDate: string };
		expect(Date.parse(shown)).toBe(Date.parse(String(gracePeriodEndsAt)));
		await to.call('PUT', `${processes}/${String(processId)}/Cancel`, {});
		expect(await from.sync()).toMatchObject([
			{ type: 'PeerDeletionCancelled', payload: { relationshipId: id } },
		]);
		// An identity is not told what it did itself.
		expect(await to.sync()).toEqual([]);
	});

	it('whose grace period is over cannot be cancelled, and shuts the identity out', async () => {
		const account = await bench.account(api);
		const { id, gracePeriodEndsAt } = (
			await account.call('POST', processes, { lengthOfGracePeriodInDays: 1 / dayMs })
		).result;
		sandboxOf(bench).advanceClock(1_000);
		expect(refusal(await account.call('PUT', `${processes}/${String(id)}/Cancel`, {}))).toBe(
			device('gracePeriodHasAlreadyExpired'),
		);
		expect((await account.logIn()).body).toMatchObject({ error: 'invalid_grant' });
		const isDeleted = await bench.call(
			'GET',
			`/api/${api}/Identities/IsDeleted?username=${account.username}`,
		);
		expect(isDeleted.result).toEqual({ isDeleted: true, deletionDate: gracePeriodEndsAt });
	});
});

describe('the job that deletes identities', () => {
	it('leaves others what is theirs, under a pseudonym', async () => {
		const { to, from, id } = await bench.active();
		const sent = await to.call('POST', 'Messages', message(from.address));
		await from.sync();
		const gone = await to.template({ forIdentity: from.address });
		const forDeleted = await from.template({ forIdentity: to.address });
		await to.call('POST', processes, {});
		await from.sync();
		await pass(15, from);

		const events = await from.sync();
		expect(events.map(({ type }) => type).sort()).toEqual([
			'PeerDeleted',
			'RelationshipStatusChanged',
		]);
		const pseudonym = deletedIdentityPseudonyms('localhost').backbone;
		const relationship = (await from.call('GET', `Relationships/${id}`)).result;
		expect(relationship).toMatchObject({
			from: from.address,
			to: pseudonym,
			status: 'DeletionProposed',
		});
		const auditLog = relationship['auditLog'] as Array<Record<string, unknown>>;
		expect(auditLog.at(-1)).toMatchObject({
			reason: 'DecompositionDueToIdentityDeletion',
			createdBy: pseudonym,
			createdByDevice: null,
		});
		expect(JSON.stringify(auditLog)).not.toContain(to.address);
		const read = await from.call('GET', `Messages/${String(sent.result['id'])}`);
		expect(read.result).toMatchObject({ createdBy: pseudonym });
		expect((await from.call('GET', `RelationshipTemplates/${gone}`)).status).toBe(404);
		expect((await from.call('GET', `RelationshipTemplates/${forDeleted}`)).result).toMatchObject({
			forIdentity: pseudonym,
		});
		const canCreate = await from.call(
			'GET',
			`Relationships/CanCreate?peer=${encodeURIComponent(to.address)}`,
		);
		expect(refusal(canCreate)).toBe('404 error.platform.recordNotFound');
		expect((canCreate.body as { error: { message: string } }).error.message).toContain(
			'Identity not found.',
		);
	});

	it('ends a relationship that the peer had left before', async () => {
		const { to, from, id } = await bench.active();
		await from.call('PUT', `Relationships/${id}/Terminate`, {});
		await from.call('PUT', `Relationships/${id}/Decompose`, {});
		await to.call('POST', processes, {});
		await pass(15, from);
		expect(sandboxOf(bench).state.relationships.get(id)?.status).toBe('ReadyForDeletion');
	});

	it('keeps the user names of what it deleted', async () => {
		const account = await bench.account();
		await account.call('POST', processes, {});
		await pass(15);
		expect((await account.logIn()).body).toMatchObject({ error: 'invalid_grant' });
		const path = `/api/v2/Identities/IsDeleted?username=${account.username.toLowerCase()}`;
		expect((await bench.call('GET', path)).result).toEqual({
			isDeleted: true,
			deletionDate: expect.any(String) as string,
		});
	});

	it('reminds 12, 10 and 5 days before the end, once each', async () => {
		const account = await bench.account();
		const stream = await eventStream(account);
		await account.call('POST', processes, {});
		for (const days of [1, 1, 1, 1, 1, 1, 1, 1, 1]) await pass(days, account);
		const { result } = await account.call('GET', processes);
		const [process] = result as unknown as Array<Record<string, string | null>>;
		expect([1, 2, 3].map((nth) => typeof process?.[`gracePeriodReminder${nth}SentAt`])).toEqual([
			'string',
			'string',
			'string',
		]);
		await pass(6);
		await stream.reaches('DeletionStarts');
		expect(stream.events).toEqual([
			'ConnectionOpened',
			'DeletionProcessStarted',
			...Array<string>(3).fill('DeletionProcessGracePeriodReminder'),
			'DeletionStarts',
		]);
		await stream.close();
	});
});

describe('a deletion process that support has started', () => {
	it('is told to its identity, and so is that support has cancelled it', async () => {
		const account = await bench.account();
		const identity = identityOf(account.address);
		const process = sandboxOf(bench).deletions.start(identity, 'support');
		sandboxOf(bench).deletions.cancel(identity, process, 'support');
		expect(await account.sync()).toMatchObject([
			{ type: 'IdentityDeletionProcessStarted', payload: { deletionProcessId: process.id } },
			{ type: 'IdentityDeletionProcessStatusChanged', payload: { deletionProcessId: process.id } },
		]);
	});

	it('waits for approval on a Backbone up to 6.56', async () => {
		await bench.close();
		bench = await SandboxBench.open({ hasDeletionApproval: true, apis: ['v1'] });
		const account = await bench.account('v1');
		const identity = identityOf(account.address);
		const rejected = sandboxOf(bench).deletions.start(identity, 'support');
		const path = (id: string, verb: string): string => `${processes}/${id}/${verb}`;
		expect((await account.call('GET', `${processes}/${rejected.id}`)).result).toMatchObject({
			status: 'WaitingForApproval',
			gracePeriodEndsAt: null,
			approvedAt: null,
		});
		expect((await account.call('GET', 'Identities/Self')).result).toMatchObject({
			status: 'Active',
		});
		expect((await account.call('PUT', path(rejected.id, 'Reject'), {})).result).toMatchObject({
			status: 'Rejected',
			rejectedByDevice: expect.stringMatching(/^DVC/) as string,
		});
		const approve = () => account.call('PUT', path(rejected.id, 'Approve'), {});
		expect(refusal(await approve())).toBe(device('deletionProcessIsNotInRequiredStatus'));
		const next = sandboxOf(bench).deletions.start(identity, 'support');
		expect((await account.call('PUT', path(next.id, 'Approve'), {})).result).toMatchObject({
			status: 'Approved',
			gracePeriodEndsAt: expect.any(String) as string,
		});
		expect((await account.call('GET', 'Identities/Self')).result).toMatchObject({
			status: 'ToBeDeleted',
		});
	});
});
