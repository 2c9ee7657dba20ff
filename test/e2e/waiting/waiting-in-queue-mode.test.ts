import { storageCredential } from '../../support/postgres/postgres';
import { describeWithOwnPostgres, PostgresServer } from '../../support/postgres/postgres-server';
import { size } from '../../support/sizes';
import { testsIn } from '../support/n8n-test';
import { OnboardedHost } from '../support/onboarded-host';
import { databaseAt, QueueCluster } from '../support/queue-cluster';
import { askMany, expectedAnswers } from '../support/waiting-load';

jest.setTimeout(1_200_000);

const questions = size({ quick: 8, full: 50 });
const kills = size({ quick: 2, full: 10 });

describeWithOwnPostgres('executions that wait for a person, in queue mode with two workers', () => {
	let server: PostgresServer;
	let cluster: QueueCluster;
	let place: OnboardedHost;
	const it = testsIn(() => cluster, 1_100_000);

	beforeAll(async () => {
		server = await PostgresServer.start(() => ['fsync=off']);
		const database = databaseAt(server.port);
		cluster = await QueueCluster.prepare(2, database);
		place = await OnboardedHost.open(
			{},
			{
				prepare: () => Promise.resolve(cluster.main),
				onStarted: () => cluster.startWorkers(),
				storage: storageCredential(database),
			},
		);
	});

	afterAll(async () => {
		await place?.close();
		await cluster?.dispose();
		await server?.remove();
	});

	it('end with their own answer, each once, although the main process is killed', async () => {
		const answers = await askMany(place, { questions, kills }, async () => {
			await cluster.main.kill();
			await cluster.main.start();
		});
		expect(answers).toEqual(expectedAnswers(questions));
	});
});
