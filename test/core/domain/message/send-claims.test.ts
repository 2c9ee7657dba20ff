import { systemRandom } from '../../../../core/base/random';
import type { SendTimings } from '../../../../core/base/timings';
import type { MessageDependencies } from '../../../../core/domain/message/message-dependencies';
import { LocalSends } from '../../../../core/domain/message/sending/local-sends';
import { SendClaims } from '../../../../core/domain/message/sending/send-claims';
import type { SendIntent } from '../../../../core/domain/message/sending/send-states';
import type { SendIntentRecord } from '../../../../core/model/record/message';
import { openStore, type AccountStore } from '../../../../core/store/open-store';
import { TestClock } from '../../../support/clock';
import { openTestStore, testAccount, type TestStore } from '../../../support/store';

const timings: SendTimings = {
	claimTtlMs: 100_000,
	deadOwnerGraceMs: 0,
	renewClaimAfterMs: 10_000,
	firstByteDeadlineMs: 30_000,
	lateArrivalMs: 60_000,
};
const id = 'SND00000000000000001';
const secrets = { messageKey: 'key' };
const held = { code: 'error.gateway.messages.outcomeUnknown' };

let clock: TestClock;
let opened: TestStore;
let other: AccountStore;

interface Process {
	readonly store: AccountStore;
	readonly claims: SendClaims;
	readonly local: LocalSends;
}

/** This process, and another one on the same account. */
let own: Process;
let others: Process;

const processOn = (store: AccountStore, changes: Partial<SendTimings> = {}): Process => {
	const local = new LocalSends();
	const backbone = {} as MessageDependencies['backbone'];
	const context = { backbone, clock, store, timings: { ...timings, ...changes } };
	return { store, local, claims: new SendClaims(context, local) };
};

beforeEach(async () => {
	clock = new TestClock();
	opened = await openTestStore(clock);
	other = await openStore(testAccount(opened.folder), { clock, random: systemRandom });
	[own, others] = [processOn(opened.store), processOn(other)];
});

afterEach(async () => {
	await other.close();
	await opened.dispose();
});

/** An intent as the process has just prepared it for its call. */
async function prepared(
	{ store, claims, local }: Process,
	more: Partial<SendIntentRecord> = {},
): Promise<SendIntent> {
	local.begin(id);
	return await store.transact(async (tx) => {
		const record: SendIntentRecord = {
			id,
			state: 'prepared',
			createdAt: '2029-12-31T23:59:00.000Z',
			...claims.newClaim(tx),
			bodyHash: 'hash',
			recipients: [],
			content: {},
			attachments: [],
			...more,
		};
		await tx.sendIntents.insert(record, secrets);
		return { record, secrets };
	});
}

const stored = async (): Promise<SendIntentRecord | undefined> =>
	(await opened.store.read((tx) => tx.sendIntents.get(id)))?.record;

const change = async (more: Partial<SendIntentRecord>): Promise<void> =>
	await opened.store.transact(async (tx) => {
		const entry = await tx.sendIntents.get(id);
		if (entry !== undefined) await tx.sendIntents.update({ ...entry.record, ...more });
	});

const remove = async (): Promise<void> =>
	await opened.store.transact(async (tx) => void (await tx.sendIntents.delete(id)));

describe('a claim that is confirmed before its call', () => {
	it.each([0, timings.renewClaimAfterMs])('is still good after %i ms', async (ms) => {
		const intent = await prepared(own);
		clock.advance(ms);
		expect(await own.claims.renew(intent)).toBe(intent);
		expect(await stored()).toEqual(intent.record);
	});

	it('is claimed again when it has waited for longer, and answers the message to send', async () => {
		const intent = await prepared(own);
		clock.advance(timings.renewClaimAfterMs + 1);
		const again = await own.claims.renew(intent);
		expect(again).toEqual({
			record: { ...intent.record, triedAt: '2030-01-01T00:00:10.001Z' },
			secrets,
		});
		expect(await stored()).toEqual(again.record);
		expect(await own.claims.renew(again)).toBe(again);
	});

	it.each([
		['was claimed by another process', () => change({ triedAt: '2030-01-01T00:00:05.000Z' })],
		['was sent by another process', () => change({ state: 'sent', messageId: 'MSG1' })],
		['is gone', remove],
	])('is lost when the message %s meanwhile', async (_what, happens) => {
		const intent = await prepared(own);
		clock.advance(timings.renewClaimAfterMs + 1);
		await happens();
		const before = await stored();
		await expect(own.claims.renew(intent)).rejects.toMatchObject({
			...held,
			facts: { intentId: id },
		});
		expect(await stored()).toEqual(before);
	});
});

describe('the next call for a message', () => {
	/** Claims as long as no other work of the process is about it; its own work goes on afterwards. */
	const claimedBy = async ({ claims, local }: Process): Promise<SendIntent | undefined> => {
		const record = (await stored()) as SendIntentRecord;
		const claimed = await local.alone(id, () => claims.claim(record, 'claim'));
		if (claimed !== undefined) local.begin(id);
		return claimed;
	};
	const mayClaim = async ({ claims }: Process): Promise<boolean> =>
		await claims.mayClaim((await stored()) as SendIntentRecord, {});

	it('waits while another process may be calling', async () => {
		const { record } = await prepared(others);
		clock.advance(timings.claimTtlMs - 1);
		expect(await mayClaim(own)).toBe(false);
		expect(await claimedBy(own)).toBeUndefined();
		expect(await stored()).toEqual(record);
	});

	it('is free for every process once that call must have ended', async () => {
		const { record } = await prepared(others);
		clock.advance(timings.claimTtlMs);
		expect(await mayClaim(own)).toBe(true);
		const claimed = await claimedBy(own);
		expect(claimed?.secrets).toEqual(secrets);
		expect(claimed?.record).toEqual(await stored());
		expect(claimed?.record).toMatchObject({ id, triedAt: '2030-01-01T00:01:40.000Z' });
		expect(claimed?.record.caller).not.toBe(record.caller);
		// Now the other process waits.
		expect(await mayClaim(others)).toBe(false);
		expect(await claimedBy(others)).toBeUndefined();
	});

	it('counts from the preparation when none was made', async () => {
		const createdAt = '2029-12-31T23:58:20.000Z';
		const { record } = await prepared(others);
		const { triedAt: _triedAt, caller: _caller, ...untried } = record;
		await opened.store.transact((tx) => tx.sendIntents.update({ ...untried, createdAt }));
		expect(await mayClaim(own)).toBe(true);
		clock.advance(-1);
		expect(await mayClaim(own)).toBe(false);
	});

	it('waits for this process as well, until its call has ended', async () => {
		await prepared(own);
		expect(await mayClaim(own)).toBe(false);
		expect(await claimedBy(own)).toBeUndefined();
		own.local.end(id);
		clock.advance(1);
		expect(await mayClaim(own)).toBe(true);
		expect(await mayClaim(others)).toBe(false);
		expect((await claimedBy(own))?.record.triedAt).toBe('2030-01-01T00:00:00.001Z');
		// That one has not ended.
		expect(await mayClaim(own)).toBe(false);
	});

	it('waits for other work that this process has begun since', async () => {
		await prepared(own);
		own.local.end(id);
		own.local.begin(id);
		expect(await mayClaim(own)).toBe(false);
	});

	it('belongs to no process when the message was sent, or is gone', async () => {
		const { record } = await prepared(own);
		own.local.end(id);
		await change({ state: 'sent', messageId: 'MSG1' });
		expect(await own.claims.claim(record, 'claim')).toBeUndefined();
		await remove();
		expect(await own.claims.claim(record, 'claim')).toBeUndefined();
	});
});

describe('a call of a process that is gone', () => {
	const mayClaim = async ({ claims }: Process, record: SendIntentRecord): Promise<boolean> =>
		await claims.mayClaim(record, {});

	it('is taken over without waiting for its time', async () => {
		const { record } = await prepared(others);
		expect(await mayClaim(own, record)).toBe(false);
		await other.close();
		expect(await mayClaim(own, record)).toBe(true);
		expect((await own.claims.claim(record, 'claim'))?.record.caller).not.toBe(record.caller);
	});

	describe('is taken over when that has lasted,', () => {
		let elapsedMs: number;
		let patient: Process;
		let record: SendIntentRecord;

		beforeEach(async () => {
			elapsedMs = 5_000;
			jest.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
			patient = processOn(opened.store, { deadOwnerGraceMs: 60_000 });
			({ record } = await prepared(others));
			await other.close();
			expect(await mayClaim(patient, record)).toBe(false);
			expect(await patient.claims.claim(record, 'claim')).toBeUndefined();
		});

		afterEach(() => {
			jest.restoreAllMocks();
		});

		it('counted from the first look', async () => {
			elapsedMs += 59_999;
			expect(await mayClaim(patient, record)).toBe(false);
			elapsedMs += 1;
			expect(await mayClaim(patient, record)).toBe(true);
			expect(await patient.claims.claim(record, 'claim')).toBeDefined();
		});

		it('counted anew for another call', async () => {
			elapsedMs += 60_000;
			const later = { ...record, triedAt: '2030-01-01T00:00:00.500Z' };
			expect(await mayClaim(patient, later)).toBe(false);
		});

		it('counted anew after it was forgotten', async () => {
			patient.local.forget(record.id);
			elapsedMs += 60_000;
			expect(await mayClaim(patient, record)).toBe(false);
		});
	});
});

it('a process that has its connection to the store again was not dead before', async () => {
	const patient = processOn(opened.store, { deadOwnerGraceMs: 60_000 });
	const { record } = await prepared(others);
	let elapsedMs = 5_000;
	jest.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
	// As if it had been cut off at an earlier look.
	patient.local.ownerDeadForMs(record);
	expect(await patient.claims.mayClaim(record, {})).toBe(false);
	elapsedMs += 60_000;
	await other.close();
	expect(await patient.claims.mayClaim(record, {})).toBe(false);
	jest.restoreAllMocks();
});

describe('a repetition that a person has asked for', () => {
	it('is claimed once the last call must have ended', async () => {
		const { record } = await prepared(others, { again: true });
		expect(await own.claims.claim(record, 'claimRequested')).toBeUndefined();
		clock.advance(timings.claimTtlMs);
		expect((await own.claims.claim(record, 'claimRequested'))?.record).toEqual(await stored());
		expect((await stored())?.triedAt).toBe('2030-01-01T00:01:40.000Z');
	});

	it('waits for that also after a call of its own process', async () => {
		const { record } = await prepared(own, { again: true });
		own.local.end(id);
		expect(await own.claims.claim(record, 'claimRequested')).toBeUndefined();
		clock.advance(timings.claimTtlMs);
		expect(await own.claims.claim(record, 'claimRequested')).toBeDefined();
	});

	it('is not claimed when it was taken back', async () => {
		const { record } = await prepared(others);
		clock.advance(timings.claimTtlMs);
		expect(await own.claims.claim(record, 'claimRequested')).toBeUndefined();
		expect(await stored()).toEqual(record);
	});
});

it("a call begins well before its claim expires, by this host's clock", async () => {
	const { record } = await prepared(own);
	clock.advance(4_000);
	expect(own.claims.beginBefore(record)).toBe(Date.parse('2030-01-01T00:00:30.000Z'));
});
