import { cpSync } from 'node:fs';
import type { Gateway } from '../../../core';
import type { Random } from '../../../core/base/random';
import { TestClock } from '../../support/clock';
import { mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';

/*
 * docs/adr/0026-numbers-of-the-encryption.md: two copies of an account that run, be it because a person
 * opened both, or because a snapshot of a running machine was taken back.
 */
let network: SandboxNetwork;
let folder: string;
let to: string;
let address: string;
let clock: TestClock;
let peer: Gateway;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	folder = network.newFolder();
	clock = new TestClock(Date.now());
	const gateway = await network.gateway(network.config(folder), { clock });
	peer = await network.gateway();
	({ addressA: address, addressB: to } = await relate(gateway, peer));
	await gateway.messages.send(mailTo(to, 'before'));
	await gateway.close();
});
afterEach(() => network.close());

/** The same memory has the same random numbers. */
function randomOf(seed: number): Random {
	let state = seed;
	const next = (): number => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state >>> 24;
	};
	return {
		bytes: (length) => Uint8Array.from({ length }, next),
		text: (length, alphabet) =>
			Array.from({ length }, () => alphabet.charAt(next() % alphabet.length)).join(''),
	};
}

/** A copy of the account that runs, and has found out at its start that it has missed nothing. */
async function openCopy(seed: number, own = clock): Promise<Gateway> {
	const copy = network.newFolder();
	cpSync(folder, copy, { recursive: true });
	const gateway = await network.gateway(network.config(copy), {
		clock: own,
		random: randomOf(seed),
	});
	await gateway.account.sync();
	return gateway;
}

async function send(gateway: Gateway, mails: number): Promise<void> {
	for (let mail = 1; mail <= mails; mail++) {
		await gateway.messages.send(mailTo(to, `mail ${mail}`));
		// Who fetches nothing is sent nothing more after a while.
		if (mail % 15 === 0) await settle(peer);
	}
}

const countersUsed = (): number[] =>
	[...network.backbone.state.messages.values()]
		.filter(({ createdBy }) => createdBy === address)
		.flatMap(({ recipients }) =>
			recipients.map(({ encryptedKey }) => {
				const cipher = Buffer.from(encryptedKey, 'base64url').toString('utf8');
				return (JSON.parse(cipher) as { cnt: number }).cnt;
			}),
		);

const repeated = (): number[] => {
	const used = countersUsed();
	return used.filter((counter, index) => used.indexOf(counter) !== index);
};

const problems = async (gateway: Gateway) =>
	(await gateway.problems.list()).map(({ code, isDiscardable }) => ({ code, isDiscardable }));

const listed = { code: 'error.gateway.messages.sentByAnotherCopy', isDiscardable: true };

describe('a snapshot that is taken back after 60 mails', () => {
	let snapshot: Gateway;
	let clockOfSnapshot: TestClock;

	beforeEach(async () => {
		const running = await openCopy(1);
		clockOfSnapshot = new TestClock(clock.now());
		snapshot = await openCopy(1, clockOfSnapshot);
		await send(running, 60);
		await running.close();
	});

	it('repeats no number once its clock was set', async () => {
		clockOfSnapshot.advance(10_000);
		await send(snapshot, 25);
		expect(countersUsed()).toHaveLength(86);
		expect(repeated()).toEqual([]);
		expect(await problems(snapshot)).toEqual([listed]);
	});

	it('repeats no number once the Backbone has told the time', async () => {
		network.backbone.advanceClock(10_000);
		await snapshot.account.sync();
		await send(snapshot, 25);
		expect(repeated()).toEqual([]);
	});
});

describe('two copies that run at the same time', () => {
	it('use different numbers in the same second', async () => {
		const [one, other] = [await openCopy(1), await openCopy(2)];
		await Promise.all([send(one, 5), send(other, 5)]);
		expect(countersUsed()).toHaveLength(11);
		expect(repeated()).toEqual([]);
	});

	it('are reported by each that sees what the other has sent, and once', async () => {
		const ownClock = new TestClock(clock.now());
		const [one, other] = [await openCopy(1), await openCopy(2, ownClock)];
		await send(one, 1);
		await send(other, 1);
		ownClock.advance(3_600_000);
		await other.account.sync();
		expect(await problems(one)).toEqual([]);
		expect(await problems(other)).toEqual([listed]);
		clock.advance(3_600_000);
		await one.account.sync();
		expect(await problems(one)).toEqual([listed]);
		await send(one, 1);
		ownClock.advance(3_600_000);
		await other.account.sync();
		const [problem] = await other.problems.list();
		expect(await problems(other)).toEqual([listed]);
		await other.problems.discard({ ids: [problem?.id ?? ''] });
		ownClock.advance(3_600_000);
		await other.account.sync();
		expect(await problems(other)).toEqual([]);
	});

	it('are not seen in what one of them sent from two processes', async () => {
		const one = await openCopy(1);
		await send(one, 3);
		clock.advance(3_600_000);
		await one.account.sync();
		expect(await problems(one)).toEqual([]);
	});
});

it('a time of the Backbone that is more than a day off moves no number', async () => {
	const years = 64 * 365 * 24 * 3_600_000;
	const gateway = await openCopy(1);
	network.backbone.advanceClock(years);
	await gateway.account.sync().catch(() => undefined);
	network.backbone.advanceClock(-years);
	await send(gateway, 1);
	const [before = 0, after = 0] = countersUsed();
	expect(after - before).toBeGreaterThan(0);
	expect(after - before).toBeLessThan(2 ** 20);
});
