import { storageCredential } from '../../support/postgres/postgres';
import { describeWithOwnPostgres, PostgresServer } from '../../support/postgres/postgres-server';
import { size } from '../../support/sizes';
import { until } from '../../support/until';
import { testsIn } from '../support/n8n-test';
import { OnboardedHost } from '../support/onboarded-host';
import { databaseAt, QueueCluster } from '../support/queue-cluster';
import { askMany, expectedAnswers } from '../support/waiting-load';
import { enmeshedNode, webhook, workflowOf } from '../support/workflow-builder';
import { onMail } from '../support/workflows';

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

	it('go on once with the answer of a list of people, although the main process is killed', async () => {
		const { host, wallet, credentialId } = place;
		const ask = enmeshedNode('Ask', credentialId, {
			resource: 'outgoingRequest',
			operation: 'sendAndWait',
			people: 'list',
			toList: [wallet.address],
			message: 'May we, all of you?',
		});
		const nodes = [webhook('ask-list', 'onReceived'), ask];
		const id = await host.createWorkflow(workflowOf('ask-list', nodes));
		await host.publish(id);
		await host.publish(await host.createWorkflow(onMail(credentialId)));
		await host.webhook('ask-list', {});
		const statusOf = async () => (await host.executions(id))[0]?.status;
		await host.until(async () => (await statusOf()) === 'waiting', 'waiting');
		await cluster.main.kill();
		await until(async () => {
			await wallet.sync();
			const [open] = await wallet.incomingRequests({ status: 'ManualDecisionRequired' });
			if (open === undefined) return false;
			await wallet.acceptRequest(String(open.id), [{ accept: true }]);
			return true;
		}, 60_000);
		await cluster.main.start();
		await host.until(async () => (await statusOf()) === 'success', 'done');
		const executions = await host.executions(id);
		expect(executions).toHaveLength(1);
		const [output] = executions[0]?.data.resultData.runData['Ask']?.at(-1)?.data?.main ?? [];
		expect(output?.map(({ json }) => json)).toMatchObject([
			{ answered: true, group: { asked: 1, approved: 1, decision: 'approved' } },
		]);
	});
});
