import { loosely } from '../../../support/loosely';
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

let bench: SendBench;

beforeEach(async () => {
	bench = await SendBench.open();
});
afterEach(() => bench.close());

const prepare = async ({ store, preparedMessages }: SendingProcess, peer = '') =>
	await store.transact((tx) => preparedMessages.prepare(tx, peer, loosely(mailTo(peer).content)));

const posted = async (count: number): Promise<void> => {
	await until(() => Promise.resolve(bench.backbone.posted.length === count));
};

describe('a required message in the queue of its process', () => {
	it('is not sent while another process that has claimed it may be calling', async () => {
		const { backbone, clock } = bench;
		const [slow, other] = [await bench.start(), await bench.start()];
		backbone.reception = 'waits';
		const first = failureOf((await prepare(slow, peers[0])).send({}));
		await posted(1);
		const second = failureOf((await prepare(slow, peers[1])).send({}));
		clock.advance(timings.claimTtlMs);
		await other.settle();
		clock.advance(afterLateArrivalMs);
		const settling = other.settle();
		await posted(2);
		backbone.refuseWaiting('newest');
		await posted(3);
		// Both calls of the other process have begun; now the queue moves on.
		backbone.reception = 'accepts';
		backbone.refuseWaiting('oldest');
		await first;
		expect(await second).toMatchObject({ code: 'error.gateway.messages.outcomeUnknown' });
		expect(backbone.posted).toHaveLength(3);
		backbone.refuseWaiting('oldest');
		await settling;
	});
});
