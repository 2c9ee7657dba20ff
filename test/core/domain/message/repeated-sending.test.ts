import { until } from '../../../support/until';
import { failureOf } from '../../backbone/fixture-server';
import {
	afterLateArrivalMs,
	mailTo,
	peers,
	SendBench,
	timings,
	type SendingProcess,
} from './send-bench';

/* A caller repeats a send that another process may be calling for. */

let bench: SendBench;
let first: SendingProcess;
let second: SendingProcess;
beforeEach(async () => {
	bench = await SendBench.open();
	[first, second] = [await bench.start(), await bench.start()];
});
afterEach(() => bench.close());

const [bob] = peers as [string];
const outcomeUnknown = 'error.gateway.messages.outcomeUnknown';

const send = ({ messages }: SendingProcess) =>
	messages.send(mailTo(bob), { idempotencyKey: 'once' });

/** Waits for the search of the second process, which comes before its first wait. */
const searched = (): Promise<void> => until(() => bench.searches > 0);

describe('a repetition in another process', () => {
	it('finds the message whose answer the first process has lost, without a wait', async () => {
		bench.backbone.reception = 'losesAnswer';
		await failureOf(send(first));
		expect(await send(second)).toMatchObject({ id: 'MSG00000000000000001' });
		expect(bench.backbone.posted).toHaveLength(1);
	});

	it('sends the message once neither the first process nor the Backbone can work on it', async () => {
		bench.backbone.reception = 'losesCall';
		await failureOf(send(first));
		bench.backbone.reception = 'accepts';
		const repeated = send(second);
		await searched();
		expect(bench.backbone.posted).toHaveLength(1);
		bench.clock.advance(timings.claimTtlMs);
		await until(async () => (await bench.intent())?.absentSince !== undefined);
		expect(bench.backbone.posted).toHaveLength(1);
		bench.clock.advance(afterLateArrivalMs);
		expect(await repeated).toMatchObject({ id: 'MSG00000000000000001' });
		const [before, after] = bench.backbone.posted;
		expect(after).toBe(before);
	});

	it('gives up after five minutes, without further searches, if the first goes on', async () => {
		bench.backbone.reception = 'losesCall';
		await failureOf(send(first));
		const repeated = failureOf(send(second));
		await searched();
		const looks = jest.spyOn(second.store, 'read');
		await until(() => looks.mock.calls.length >= 4);
		const { searches } = bench;
		await first.store.transact(async (tx) => {
			const entry = await tx.sendIntents.first();
			if (entry === undefined) throw new Error('There is no send');
			const triedAt = new Date(bench.clock.now() + 5 * 60_000).toISOString();
			await tx.sendIntents.update({ ...entry.record, triedAt });
		});
		bench.clock.advance(5 * 60_000);
		expect((await repeated)['code']).toBe(outcomeUnknown);
		expect(bench.searches).toBe(searches);
		expect(bench.backbone.posted).toHaveLength(1);
	});
});
