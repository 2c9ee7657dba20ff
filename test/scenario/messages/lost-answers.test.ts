import { ownText } from '../../../core/model/json';
import type { Gateway } from '../../../core';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { ProblemBench } from '../../support/problem-bench';
import { mailTo, settle } from '../../support/gateways';
import { until } from '../../support/until';

jest.setTimeout(60_000);

const hourMs = 3_600_000;
/** time in which a proxy or the Backbone may still carry out a call, and the error of two `Date` headers */
const lateArrivalMs = 2 * 60_000 + 2_000;
const outcomeUnknown = 'error.gateway.messages.outcomeUnknown';
const posts = { method: 'POST', path: /\/Messages$/ };

/* Mails whose calls a proxy in front of the Backbone answers, or that stay without an answer. */

let bench: ProblemBench;
let gateway: Gateway;

beforeEach(async () => {
	bench = await ProblemBench.open();
	({ gateway } = bench);
});
afterEach(() => bench.close());

const send = (subject: string) =>
	gateway.messages.send(mailTo(bench.addressOfPeer, subject), { idempotencyKey: subject });

const lose = async (subject: string): Promise<void> => {
	await expect(send(subject)).rejects.toMatchObject({ code: outcomeUnknown });
};

const postCount = (): number => bench.network.backbone.calls.count('POST', posts.path);

describe('mails that a proxy answers with 502', () => {
	beforeEach(async () => {
		const { faults } = bench.network.backbone;
		for (const kind of ['status', 'statusAfter', 'status'] as const) {
			faults.add({ ...posts, action: { kind, status: 502 } });
		}
		for (const subject of ['first', 'second', 'third']) await lose(subject);
	});

	it('are settled by the list of own messages, and can be sent with the same key', async () => {
		expect(await gateway.problems.list()).toHaveLength(3);
		await settle(gateway);
		// The second one has arrived.
		expect(
			(await gateway.messages.list()).map(({ content }) => ownText(content, 'subject')),
		).toEqual([...['before', 'second']]);
		expect(await gateway.problems.list()).toHaveLength(2);
		bench.pass(lateArrivalMs);
		await settle(gateway);
		expect(await gateway.problems.list()).toEqual([]);
		expect((await gateway.account.getSyncStatus()).unresolvedSends).toBe(0);
		expect(await bench.told('gateway.messageNotSent')).toMatchObject([
			{ idempotencyKey: 'first', code: 'error.gateway.messages.notSent' },
			{ idempotencyKey: 'third', code: 'error.gateway.messages.notSent' },
		]);
		for (const subject of ['first', 'second', 'third']) await send(subject);
		expect((await bench.arrived()).toSorted()).toEqual(['before', 'first', 'second', 'third']);
	});

	it('are not decided by the clock of this host', async () => {
		await settle(gateway);
		bench.clock.advance(24 * hourMs);
		await settle(gateway);
		expect(await gateway.problems.list()).toHaveLength(2);
		expect(await bench.told('gateway.messageNotSent')).toEqual([]);
	});
});

it('a repetition waits while the Backbone may still carry out the first call', async () => {
	bench.network.backbone.faults.add({ ...posts, action: { kind: 'status', status: 502 } });
	await lose('once');
	const before = postCount();
	const repeated = send('once');
	const [{ id = '' } = {}] = await gateway.messages.unresolvedSends();
	const { store } = partsOf(gateway);
	await until(async () => {
		const intent = await store.read((tx) => tx.sendIntents.get(id));
		return intent?.record.absentSince !== undefined;
	});
	expect(postCount()).toBe(before);
	bench.pass(lateArrivalMs);
	const { id: messageId } = await repeated;
	expect(postCount()).toBe(before + 1);
	expect(await send('once')).toMatchObject({ id: messageId });
	expect(await bench.arrived()).toEqual(['before', 'once']);
});

it('a mail that the Backbone stores after its call has ended is not sent a second time', async () => {
	const { faults } = bench.network.backbone;
	faults.add({ ...posts, action: { kind: 'delay', durationMs: 1_500 } });
	const abort = new AbortController();
	const arrived = faults.onNext('POST', posts.path);
	const sending = gateway.messages.send(mailTo(bench.addressOfPeer, 'late'), {
		idempotencyKey: 'late',
		signal: abort.signal,
	});
	await arrived;
	abort.abort();
	await expect(sending).rejects.toMatchObject({ code: outcomeUnknown });
	const before = postCount();
	const repeated = send('late');
	await until(() => postCount() > before);
	bench.pass(lateArrivalMs);
	await repeated;
	expect(postCount()).toBe(before + 1);
	expect(await bench.arrived()).toEqual(['before', 'late']);
});

it.each([
	['the access token', /connect\/token/],
	['the version of the Backbone', /\/Version$/],
])('a mail whose process does not even get %s is not sent', async (_, path) => {
	const { faults } = bench.network.backbone;
	bench.network.backbone.revokeAccessTokens();
	const other = await bench.elsewhere();
	bench.network.backbone.revokeAccessTokens();
	faults.add({ path, times: Infinity, action: { kind: 'cutAfter' } });
	const failed: unknown = await other.messages
		.send(mailTo(bench.addressOfPeer, 'unsent'))
		.catch((error: unknown) => error);
	faults.clear();
	if (failed instanceof Error) expect(failed).not.toMatchObject({ code: outcomeUnknown });
	expect(await gateway.problems.list()).toEqual([]);
});
