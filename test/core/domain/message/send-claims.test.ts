import { systemRandom } from '../../../../core/base/random';
import type { SendTimings } from '../../../../core/base/timings';
import { SendClaims } from '../../../../core/domain/message/send-claims';
import type { SendIntent } from '../../../../core/domain/message/message-sending';
import type { SendIntentRecord } from '../../../../core/model/record/message';
import { openStore, type AccountStore } from '../../../../core/store/open-store';
import { TestClock } from '../../../support/clock';
import { openTestStore, testAccount, type TestStore } from '../../../support/store';

const timings: SendTimings = {
	patienceMs: 100_000,
	patienceWithDeadMs: 0,
	startWithinMs: 10_000,
	goneOutWithinMs: 30_000,
};
const id = 'SND00000000000000001';
const secrets = { messageKey: 'key' };
const held = { code: 'error.gateway.messages.outcomeUnknown' };

let clock: TestClock;
let opened: TestStore;
let other: AccountStore;

/** This process, and another one on the same account. */
let own: SendClaims;
let others: SendClaims;

const claimsOf = (store: AccountStore, changes: Partial<SendTimings> = {}): SendClaims =>
	new SendClaims({ clock, store, timings: { ...timings, ...changes } });

beforeEach(async () => {
	clock = new TestClock();
	opened = await openTestStore(clock);
	other = await openStore(testAccount(opened.folder), { clock, random: systemRandom });
	[own, others] = [claimsOf(opened.store), claimsOf(other)];
});

afterEach(async () => {
	await other.close();
	await opened.dispose();
});

/** An intent as `claims` has just prepared it. */
async function prepared(
	claims: SendClaims,
	more: Partial<SendIntentRecord> = {},
): Promise<SendIntent> {
	const store = claims === own ? opened.store : other;
	return await store.transact(async (tx) => {
		const record: SendIntentRecord = {
			id,
			state: 'prepared',
			createdAt: '2029-12-31T23:59:00.000Z',
			...claims.newCall(tx),
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
	it.each([0, timings.startWithinMs])('is still good after %i ms', async (ms) => {
		const intent = await prepared(own);
		clock.advance(ms);
		expect(await own.confirm(intent)).toBe(intent);
		expect(await stored()).toEqual(intent.record);
	});

	it('is claimed again when it has waited for longer, and answers the message to send', async () => {
		const intent = await prepared(own);
		clock.advance(timings.startWithinMs + 1);
		const again = await own.confirm(intent);
		expect(again).toEqual({
			record: { ...intent.record, triedAt: '2030-01-01T00:00:10.001Z' },
			secrets,
		});
		expect(await stored()).toEqual(again.record);
		expect(await own.confirm(again)).toBe(again);
	});

	it.each([
		['was claimed by another process', () => change({ triedAt: '2030-01-01T00:00:05.000Z' })],
		['was sent by another process', () => change({ state: 'sent', messageId: 'MSG1' })],
		['is gone', remove],
	])('is lost when the message %s meanwhile', async (_what, happens) => {
		const intent = await prepared(own);
		clock.advance(timings.startWithinMs + 1);
		await happens();
		const before = await stored();
		await expect(own.confirm(intent)).rejects.toMatchObject({ ...held, facts: { intentId: id } });
		expect(await stored()).toEqual(before);
	});
});

describe('the next call for a message', () => {
	const claimedBy = (claims: SendClaims): Promise<SendIntent | undefined> =>
		stored().then((record) => claims.claimNext(record as SendIntentRecord));
	const mayClaim = async (claims: SendClaims): Promise<boolean> =>
		await claims.mayClaim((await stored()) as SendIntentRecord, {});

	it('waits while another process may be calling', async () => {
		const { record } = await prepared(others);
		clock.advance(timings.patienceMs - 1);
		expect(await mayClaim(own)).toBe(false);
		expect(await claimedBy(own)).toBeUndefined();
		expect(await stored()).toEqual(record);
	});

	it('is for anybody once that call must have ended', async () => {
		const { record } = await prepared(others);
		clock.advance(timings.patienceMs);
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
		const { record } = await prepared(own);
		expect(await mayClaim(own)).toBe(false);
		expect(await claimedBy(own)).toBeUndefined();
		own.callEnded(record);
		clock.advance(1);
		expect(await mayClaim(own)).toBe(true);
		expect(await mayClaim(others)).toBe(false);
		expect((await claimedBy(own))?.record.triedAt).toBe('2030-01-01T00:00:00.001Z');
		// That one has not ended.
		expect(await mayClaim(own)).toBe(false);
	});

	it('waits when what has ended is forgotten', async () => {
		const { record } = await prepared(own);
		own.callEnded(record);
		own.forget(record);
		expect(await mayClaim(own)).toBe(false);
	});

	it("is nobody's when the message was sent, or is gone", async () => {
		const { record } = await prepared(own);
		own.callEnded(record);
		await change({ state: 'sent', messageId: 'MSG1' });
		expect(await own.claimNext(record)).toBeUndefined();
		await remove();
		expect(await own.claimNext(record)).toBeUndefined();
	});
});

describe('a call of a process that is gone', () => {
	const mayClaim = async (claims: SendClaims, record: SendIntentRecord): Promise<boolean> =>
		await claims.mayClaim(record, {});

	it('is taken over without waiting for its time', async () => {
		const { record } = await prepared(others);
		expect(await mayClaim(own, record)).toBe(false);
		await other.close();
		expect(await mayClaim(own, record)).toBe(true);
		expect((await own.claimNext(record))?.record.caller).not.toBe(record.caller);
	});

	describe('is taken over when that has lasted,', () => {
		let elapsedMs: number;
		let patient: SendClaims;
		let record: SendIntentRecord;

		beforeEach(async () => {
			elapsedMs = 5_000;
			jest.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
			patient = claimsOf(opened.store, { patienceWithDeadMs: 60_000 });
			({ record } = await prepared(others));
			await other.close();
			expect(await mayClaim(patient, record)).toBe(false);
			expect(await patient.claimNext(record)).toBeUndefined();
		});

		afterEach(() => {
			jest.restoreAllMocks();
		});

		it('counted from the first look', async () => {
			elapsedMs += 59_999;
			expect(await mayClaim(patient, record)).toBe(false);
			elapsedMs += 1;
			expect(await mayClaim(patient, record)).toBe(true);
			expect(await patient.claimNext(record)).toBeDefined();
		});

		it('counted anew for another call', async () => {
			elapsedMs += 60_000;
			const later = { ...record, triedAt: '2030-01-01T00:00:00.500Z' };
			expect(await mayClaim(patient, later)).toBe(false);
		});

		it('counted anew after it was forgotten', async () => {
			patient.forget(record);
			elapsedMs += 60_000;
			expect(await mayClaim(patient, record)).toBe(false);
		});
	});
});

describe('a repetition that a person has asked for', () => {
	it('is claimed once the last call must have ended', async () => {
		const { record } = await prepared(others, { again: true });
		expect(await own.claimAsked(record)).toBeUndefined();
		clock.advance(timings.patienceMs);
		expect((await own.claimAsked(record))?.record).toEqual(await stored());
		expect((await stored())?.triedAt).toBe('2030-01-01T00:01:40.000Z');
	});

	it('is not claimed when it was taken back', async () => {
		const { record } = await prepared(others);
		clock.advance(timings.patienceMs);
		expect(await own.claimAsked(record)).toBeUndefined();
		expect(await stored()).toEqual(record);
	});
});

it("a call begins before others lose their patience, by this host's clock", async () => {
	const { record } = await prepared(own);
	clock.advance(4_000);
	expect(own.beginBefore(record)).toBe(Date.parse('2030-01-01T00:00:30.000Z'));
});
