import { Dice } from '../scenario/convergence/dice';
import { Forwarder } from '../support/forwarder';
import { Peer } from '../support/peer/peer';
import { size } from '../support/sizes';
import { storageCredential } from '../support/postgres/postgres';
import { describeWithOwnPostgres, PostgresServer } from '../support/postgres/postgres-server';
import { AnsweringLoad, unexplainedRepeats, type Interruption } from './support/answering-load';
import { testsIn } from './support/n8n-test';
import { OnboardedHost, onboardWallet } from './support/onboarded-host';
import { databaseAt, QueueCluster } from './support/queue-cluster';
import { makeTemplate } from './support/workflows';

jest.setTimeout(1_800_000);

const fromEnvironment = (name: string, standard: number): number =>
	Number(process.env[name] ?? standard);

const killedMessages = fromEnvironment('QUEUE_MESSAGES', size({ quick: 150, full: 1_000 }));
const kills = fromEnvironment('QUEUE_KILLS', size({ quick: 3, full: 10 }));
const outageMessages = fromEnvironment('QUEUE_OUTAGE_MESSAGES', size({ quick: 60, full: 200 }));
const outageSeconds = fromEnvironment('QUEUE_OUTAGE_SECONDS', size({ quick: 5, full: 30 }));
/** An event that is interrupted three times waits six minutes for its next attempt. */
const patienceMs = 900_000;
const seed = fromEnvironment('QUEUE_SEED', 20_261_121);

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describeWithOwnPostgres('n8n in queue mode with a main process and two workers', () => {
	let server: PostgresServer;
	/** the way of our accounts to the server; n8n itself goes straight */
	let way: Forwarder;
	let cluster: QueueCluster;
	let place: OnboardedHost;
	let second: Peer;
	let load: AnsweringLoad;
	const dice = new Dice(seed);
	const it = testsIn(() => cluster, 1_700_000);

	beforeAll(async () => {
		server = await PostgresServer.start(() => ['fsync=off']);
		way = await Forwarder.to(server.port);
		const database = databaseAt(server.port);
		cluster = await QueueCluster.prepare(2, database);
		place = await OnboardedHost.open(
			{ maxUnreceivedMessages: 10_000 },
			{
				prepare: () => Promise.resolve(cluster.main),
				onStarted: () => cluster.startWorkers(),
				storage: storageCredential({ ...database, port: way.port }),
			},
		);
		second = await Peer.start(6, { baseUrl: place.backbone.baseUrl });
		await onboardWallet(place.host, second, place.credentialId, 'onboard-second');
		load = await AnsweringLoad.publish(place, [place.wallet, second], database);
	});

	afterAll(async () => {
		await second?.stop();
		await place?.close();
		await cluster?.dispose();
		await way?.close();
		await server?.remove();
	});

	it('answers each message once, whichever of its processes are killed', async () => {
		await answerEach('killed', killedMessages, kills, kill);
	});

	it('answers each message once when PostgreSQL is restarted', async () => {
		await answerEach('restarted', outageMessages, 2, async (index) => {
			const from = Date.now();
			await server.stop(index === 1 ? 'fast' : 'immediate');
			await wait(1_000);
			await server.startUp(['fsync=off']);
			return { what: 'PostgreSQL', from, to: Date.now() };
		});
	});

	it('answers each message once when PostgreSQL cannot be reached for a while, and says so', async () => {
		const { host, credentialId } = place;
		const askedId = await host.createWorkflow(makeTemplate(credentialId, 'asked-meanwhile'));
		await host.publish(askedId);
		await answerEach('unreachable', outageMessages, 1, async () => {
			const from = Date.now();
			await way.pause();
			await expect(host.webhook('asked-meanwhile')).rejects.toThrow();
			await wait(outageSeconds * 1_000);
			await way.resume();
			return { what: 'the way to PostgreSQL', from, to: Date.now() };
		});
		const asked = await host.executions(askedId);
		const messages = asked.map(({ data }) => data.resultData.error?.message);
		expect(messages).toEqual(['No PostgreSQL server answers at this host and port']);
		for (const { error } of await load.runs('unreachable')) {
			if (error !== undefined) expect(error).toMatch(/PostgreSQL/);
		}
	});

	/** Spreads the interruptions over the load, each somewhere within its part. */
	async function answerEach(
		name: string,
		messages: number,
		interruptionCount: number,
		interrupt: (index: number) => Promise<Interruption>,
	): Promise<void> {
		const { main } = cluster;
		const before = load.sentByGateway();
		const answered = (): number => load.sentByGateway() - before;
		const interruptions: Interruption[] = [];
		const sending = load.send(name, messages);
		for (let index = 1; index <= interruptionCount; index++) {
			const part = (index - 1 + dice.next()) / (interruptionCount + 1);
			const due = Math.floor(part * messages);
			await main.until(async () => answered() >= due, `at ${due} answers`, patienceMs);
			interruptions.push(await interrupt(index));
		}
		const subjects = await sending;
		for (const id of load.workflowIds) await main.untilPublished(id);
		const succeeded = async () => new Set(await load.succeeded(name));
		await main.until(async () => answered() >= messages, 'done answering', patienceMs);
		await main.until(async () => (await succeeded()).size === messages, 'done', patienceMs);

		const runs = await load.runs(name);
		report(interruptions, runs);
		expect(await succeeded()).toEqual(new Set(subjects));
		for (const { eventId, item } of runs) if (item) expect(item['id']).toBe(eventId);
		expect(unexplainedRepeats(runs, interruptions)).toEqual([]);
		expect((await load.answers(name)).sort()).toEqual(subjects.map((s) => `Re: ${s}`).sort());
		const nonces = load.nonces();
		expect(new Set(nonces).size).toBe(nonces.length);
	}

	async function kill(): Promise<Interruption> {
		const { main, workers } = cluster;
		const target = dice.pick([main, ...workers]);
		const index = workers.findIndex((worker) => worker === target);
		const what = index < 0 ? 'main' : `worker ${index + 1}`;
		// Half of them while messages are on their way to the Backbone.
		if (dice.chance(0.5)) {
			const action = { kind: 'delay', durationMs: 1_000 } as const;
			place.backbone.faults.add({ method: 'POST', path: /Messages$/, times: 4, action });
			await wait(600);
		}
		const from = Date.now();
		await target.kill();
		await wait(dice.number(3_000));
		await target.start();
		return { what, from, to: from };
	}
});

/** What a person wants to know of a long test. */
function report(
	interruptions: readonly Interruption[],
	runs: Awaited<ReturnType<AnsweringLoad['runs']>>,
): void {
	const counts = Map.groupBy(runs, ({ status }) => status);
	const ends = [...counts].map(([status, some]) => `${some.length} ${status}`).join(', ');
	const errors = new Set(runs.flatMap(({ error }) => error ?? []));
	process.stderr.write(
		`Interrupted: ${interruptions.map(({ what }) => what).join(', ')}. ${runs.length} executions: ${ends}. ${[...errors].join(' | ')}\n`,
	);
}
