import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { TestNetwork } from '../../support/gateways';
import { until } from '../../support/until';
import { testProgram } from '../../support/quick/test-program';
import { ok, Receiver } from '../../core/publish/webhooks/support/receiver';
import { atOnce } from '../../core/publish/webhooks/support/webhook-bench';

jest.setTimeout(120_000);

const program = testProgram('test/scenario/kill/webhook-worker.ts');
let network: TestNetwork;

beforeAll(async () => {
	network = await TestNetwork.open();
});
afterAll(() => network.close());

function start(task: object): ChildProcess {
	return spawn(process.execPath, [program, JSON.stringify(task)], { stdio: 'ignore' });
}

async function kill(child: ChildProcess): Promise<void> {
	const ended = once(child, 'exit');
	child.kill('SIGKILL');
	await ended;
}

it.each([
	['before the receiver answers', 'before'],
	['when the receiver has taken it', 'after'],
] as const)('a process killed %s loses no event and no order', async (_name, moment) => {
	const receiver = await Receiver.open();
	const killed = Promise.withResolvers<void>();
	const task = {
		config: network.config(),
		modules: {
			webhooks: {
				enabled: true,
				targets: { crm: { url: receiver.url } },
				webhooks: [{ triggers: ['consumption.attributeCreated'], target: 'crm' }],
				retry: atOnce,
			},
		},
	};
	const first = start({ ...task, creates: 5 });
	receiver.judge = ({ body }) => {
		if (!String(body.data.content.value.value).endsWith('3')) return ok;
		receiver.judge = () => ok;
		// The process is gone before it can store that the event was taken, or before it learns so.
		const gone = kill(first).then(() => killed.resolve());
		return moment === 'before' ? gone.then(() => ok) : ok;
	};
	await killed.promise;
	const numberOf = ({ body }: Receiver['received'][number]): string =>
		String(body.data.content.value.value).slice(-1);
	const second = start({ ...task, creates: 0 });
	const created = await countOfEvents(task.config);
	await until(() => new Set(receiver.received.map(numberOf)).size === created);
	const numbers = receiver.received.map(numberOf);
	const repeated = numbers.filter((number, index) => numbers.indexOf(number) !== index);
	expect([...new Set(numbers)]).toEqual(['1', '2', '3', '4', '5'].slice(0, created));
	expect(repeated.every((number) => number === '3')).toBe(true);
	const ids = receiver.received
		.filter((received) => numberOf(received) === '3')
		.map(({ headers }) => headers['webhook-id']);
	expect(new Set(ids).size).toBe(1);
	if (moment === 'before') expect(ids).toHaveLength(2);
	await kill(second);
	await receiver.down();
});

/** What was committed before the process died. */
async function countOfEvents(config: ReturnType<TestNetwork['config']>): Promise<number> {
	const gateway = await network.gateway(config);
	const names = ['consumption.attributeCreated'] as const;
	const count = (await gateway.events.recent({ names }, 100)).length;
	await gateway.close();
	return count;
}
