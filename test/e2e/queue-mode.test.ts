import { Dice } from '../scenario/convergence/dice';
import { Peer } from '../support/peer';
import { postgresStorage, type ChosenStorage } from '../support/postgres';
import { AnsweringLoad, unexplainedRepeats, type Interruption } from './answering-load';
import { testsIn } from './n8n-test';
import { OnboardedHost, onboardWallet } from './onboarded-host';
import { QueueCluster } from './queue-cluster';

jest.setTimeout(1_800_000);

const messages = Number(process.env['QUEUE_MESSAGES'] ?? 1_000);
const kills = Number(process.env['QUEUE_KILLS'] ?? 12);
const seed = Number(process.env['QUEUE_SEED'] ?? 20_261_121);

describe('n8n in queue mode with a main process and two workers', () => {
	let cluster: QueueCluster;
	let storage: ChosenStorage;
	let place: OnboardedHost;
	let second: Peer;
	let load: AnsweringLoad;
	const it = testsIn(() => cluster, 1_700_000);

	beforeAll(async () => {
		storage = await postgresStorage();
		cluster = await QueueCluster.prepare(2);
		place = await OnboardedHost.open(
			{ maxUnreceivedMessages: 10_000 },
			{
				prepare: () => Promise.resolve(cluster.main),
				onStarted: () => cluster.startWorkers(),
				storage: storage.credential,
			},
		);
		second = await Peer.start(6, { baseUrl: place.backbone.baseUrl });
		await onboardWallet(place.host, second, place.credentialId, 'onboard-second');
		load = await AnsweringLoad.publish(place, [place.wallet, second]);
	});

	afterAll(async () => {
		await second?.stop();
		await place?.close();
		await cluster?.dispose();
		await storage?.dispose();
	});

	it('answers each message once, whichever of its processes are killed', async () => {
		const dice = new Dice(seed);
		const interruptions: Interruption[] = [];
		const { main, workers } = cluster;
		const before = load.sentByGateway();
		const answered = (): number => load.sentByGateway() - before;
		const sending = load.send('killed', messages);
		for (let kill = 1; kill <= kills; kill++) {
			// Spread over the whole load, each somewhere within its part.
			const due = Math.floor(((kill - 1 + dice.next()) * messages) / (kills + 1));
			await main.until(async () => answered() >= due, `at ${due} answers`, 300_000);
			const target = dice.pick([main, ...workers]);
			const what = target === main ? 'main' : `worker ${workers.indexOf(target as never) + 1}`;
			interruptions.push({ at: Date.now(), what });
			await target.kill();
			await new Promise((resolve) => setTimeout(resolve, dice.number(3_000)));
			await target.start();
		}
		const subjects = await sending;
		for (const id of load.workflowIds) await main.untilPublished(id);
		await main.until(async () => answered() >= messages, 'done answering', 600_000);
		await main.until(
			async () => new Set(await load.succeeded('killed')).size === messages,
			'done with every execution',
			300_000,
		);

		const runs = await load.runs('killed');
		const counts = Map.groupBy(runs, ({ status }) => status);
		process.stderr.write(
			`${interruptions.map(({ what }) => what).join(', ')} killed; ${runs.length} executions for ${messages} messages: ${[...counts].map(([status, some]) => `${some.length} ${status}`).join(', ')}\n`,
		);
		expect(interruptions).toHaveLength(kills);
		expect(new Set(await load.succeeded('killed'))).toEqual(new Set(subjects));
		expect(unexplainedRepeats(runs, interruptions)).toEqual([]);
		expect((await load.answers('killed')).sort()).toEqual(subjects.map((s) => `Re: ${s}`).sort());
		const nonces = load.nonces();
		expect(new Set(nonces).size).toBe(nonces.length);
	});
});
