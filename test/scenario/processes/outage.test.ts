import { TestDatabase } from '../../support/postgres/postgres';
import { describeWithOwnPostgres, PostgresServer } from '../../support/postgres/postgres-server';
import { expectNothingLost } from './outage-bench';
import { WorkerProgram } from './worker-process';

jest.setTimeout(300_000);

describeWithOwnPostgres('two processes whose PostgreSQL server is away for a while', () => {
	const program = new WorkerProgram();
	let server: PostgresServer;
	let database: TestDatabase;

	beforeAll(async () => {
		server = await PostgresServer.start();
		database = await TestDatabase.create('', new URL(server.url));
	});

	afterAll(async () => {
		program.remove();
		await server.remove();
	});

	it.each([
		['is restarted', 'fast'],
		['crashes', 'immediate'],
	] as const)('lose nothing, send nothing twice, and say so when it %s', async (_name, mode) => {
		await expectNothingLost(program, database, server.port, {
			begin: () => server.stop(mode),
			end: () => server.startUp(),
			isTold: true,
		});
	});
});
