import type { Gateway } from '../../../core';
import { accountFile } from '../../support/accounts/account-file';
import { arrivals, mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { until } from '../../support/until';

/* What an account keeps for a while only, when it is synced by hand and nothing runs in between. */

const dayMs = 24 * 3_600_000;

let network: SandboxNetwork;
let a: Gateway;
let b: Gateway;
let folder: string;
let passedMs = 0;
const clock = { now: () => Date.now() + passedMs };
beforeEach(async () => {
	passedMs = 0;
	network = await SandboxNetwork.open();
	folder = network.newFolder();
	a = await network.gateway(network.config(folder), { clock });
	b = await network.gateway();
	await relate(a, b);
});
afterEach(() => network.close());

/** Moves both clocks: nothing is removed while they differ. */
function pass(durationMs: number): void {
	passedMs += durationMs;
	network.backbone.advanceClock(durationMs);
}

const rows = (sql: string): number => accountFile(folder).count(sql);

describe('an account that is only synced by hand', () => {
	it('removes finished sends, events and handled announcements after some time', async () => {
		const { address } = await b.account.getIdentity();
		await a.messages.send(mailTo(address), { idempotencyKey: 'once' });
		await b.messages.send(mailTo((await a.account.getIdentity()).address));
		expect((await arrivals(a)).messages).toHaveLength(1);
		pass(100 * dayMs);
		await settle(a);
		await until(() => rows('select count(*) as n from send_intents') === 0);
		await until(() => rows('select count(*) as n from outbox') === 0);
		await until(() => rows("select count(*) as n from inbox where c_state = 'done'") === 0);
		// Nothing that a person sees is gone.
		expect(await a.messages.list()).toHaveLength(2);
	});

	it('finds a finished send by its key as long as anything can repeat it', async () => {
		const { address } = await b.account.getIdentity();
		const once = { idempotencyKey: 'once' };
		const { id } = await a.messages.send(mailTo(address), once);
		pass(43 * dayMs);
		await settle(a);
		expect(await a.messages.send(mailTo(address), once)).toMatchObject({ id });
	});
});
