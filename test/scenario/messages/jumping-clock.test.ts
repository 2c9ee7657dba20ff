import type { Gateway } from '../../../core';
import { TestClock } from '../../support/clock';
import { mailTo, relate, SandboxNetwork } from '../../support/gateways';

/* docs/adr/0006-sends-are-intents-first.md: what is kept for a time is kept although a clock jumps. */
const dayMs = 24 * 3_600_000;
const jumpMs = 50 * dayMs;

let network: SandboxNetwork;
let clock: TestClock;
let folder: string;
let to: string;

beforeEach(async () => {
	network = await SandboxNetwork.open();
	clock = new TestClock(Date.now());
	folder = network.newFolder();
	const gateway = await open();
	({ addressB: to } = await relate(gateway, await network.gateway()));
	await gateway.close();
});
afterEach(() => network.close());

const open = (): Promise<Gateway> => network.gateway(network.config(folder), { clock });

/** One process: it opens the account, works, syncs, and removes what is too old. */
async function run<Result>(work: (gateway: Gateway) => Promise<Result>): Promise<Result> {
	const gateway = await open();
	const result = await work(gateway);
	await gateway.account.sync();
	await gateway.close();
	return result;
}

const send = () =>
	run((gateway) => gateway.messages.send(mailTo(to), { idempotencyKey: 'order 7' }));
const sync = () => run(() => Promise.resolve());
const arrived = (): number => network.backbone.state.messages.size;

it('a key of a send is known although the clock was 50 days ahead for one sync', async () => {
	const first = await send();
	clock.advance(jumpMs);
	await sync();
	clock.advance(-jumpMs);
	expect((await send()).id).toBe(first.id);
	expect(arrived()).toBe(1);
});

it('a key of a send is known although the clock was 50 days behind when it was used', async () => {
	clock.advance(-jumpMs);
	const first = await send();
	clock.advance(jumpMs);
	await sync();
	expect((await send()).id).toBe(first.id);
	expect(arrived()).toBe(1);
});

it('a key of a send is forgotten when 50 days have passed here and at the Backbone', async () => {
	const first = await send();
	clock.advance(jumpMs);
	network.backbone.advanceClock(jumpMs);
	await sync();
	expect((await send()).id).not.toBe(first.id);
	expect(arrived()).toBe(2);
});

it('a send is found at the Backbone although the clock was a day ahead when it was prepared', async () => {
	const gateway = await open();
	await gateway.account.sync();
	network.backbone.faults.add({
		method: 'POST',
		path: /Messages$/,
		times: 100,
		action: { kind: 'cutAfter' },
	});
	clock.advance(dayMs);
	const send = () => gateway.messages.send(mailTo(to), { idempotencyKey: 'order 7' });
	await expect(send()).rejects.toMatchObject({ code: expect.any(String) as string });
	network.backbone.faults.clear();
	clock.advance(-dayMs);
	const { id } = await send();
	expect([...network.backbone.state.messages.keys()]).toEqual([id]);
});
