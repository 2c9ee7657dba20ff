import { Forwarder } from '../../support/forwarder';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { expectNothingLost } from './outage-bench';
import { WorkerProgram } from './worker-process';

type Means = readonly [
	name: string,
	begin: 'pause' | 'hold',
	end: 'resume' | 'letGo',
	isTold: boolean,
];

describeWithPostgres('two processes that do not reach their PostgreSQL server for a while', () => {
	const program = new WorkerProgram();
	const outages: readonly Means[] = [
		['connections are refused', 'pause', 'resume', true],
		// A call that only waits for an answer ends well when the answer still comes.
		['nothing arrives any more', 'hold', 'letGo', false],
	];
	let database: TestDatabase;
	let outcomes: ReadonlyArray<PromiseSettledResult<void>>;

	// Together, because the processes mostly wait until they try to connect again.
	beforeAll(async () => {
		database = await TestDatabase.create();
		outcomes = await Promise.allSettled(outages.map((outage) => play(outage)));
	}, 300_000);

	afterAll(async () => {
		program.remove();
		await database.drop();
	});

	async function play([, begin, end, isTold]: Means): Promise<void> {
		const forwarder = await Forwarder.to(database.config.port);
		try {
			await expectNothingLost(program, database, forwarder.port, {
				begin: () => forwarder[begin](),
				end: () => forwarder[end](),
				isTold,
			});
		} finally {
			await forwarder.close();
		}
	}

	it.each(outages.map(([name], index) => [name, index] as const))(
		'lose nothing, send nothing twice, and say so when %s',
		(_name, index) => {
			expect(outcomes[index]).toEqual({ status: 'fulfilled', value: undefined });
		},
	);
});
