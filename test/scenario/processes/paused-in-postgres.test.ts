import { placeInPostgres } from '../../support/accounts/account-places';
import { Forwarder } from '../../support/forwarder';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { until } from '../../support/until';
import {
	codesOf,
	PausedProcessBench,
	sends,
	tookOver,
	untilLeasesAreOver,
} from './paused-process-bench';
import { expectSentOnce, subjectsOf } from './sent-once';

jest.setTimeout(600_000);

let bench: PausedProcessBench;

beforeAll(async () => {
	bench = await PausedProcessBench.open();
});

afterAll(() => bench.close());

describeWithPostgres('a process on PostgreSQL that is suspended for longer than its lease', () => {
	let database: TestDatabase;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	it('comes back to what its successor has done', async () => {
		const { scene, late, after } = await bench.standStill(() => placeInPostgres(database), false);
		await bench.expectNoHarm(scene, late, after);
		expect(codesOf(late)).toContain(tookOver);
	});

	it('in the middle of a commit loses it', async () => {
		const { scene, late, after } = await bench.standStill(() => placeInPostgres(database), true);
		await bench.expectNoHarm(scene, late, after);
	});

	it('between an intent and its call does not send what another was asked for', async () => {
		const place = placeInPostgres(database);
		const scene = await bench.newScene(place, 0);
		const forwarder = await Forwarder.to(database.config.port);
		const task = { ...scene.task, lanes: 1 };
		const still = bench.program.start({
			...task,
			store: { ...database.config, port: forwarder.port },
		});
		const count = async (table: string, where: string): Promise<number> => {
			const sql = (name: (table: string) => string): string =>
				`select count(*) as total from ${name(table)} where ${where}`;
			const [row] = await place.query<{ total: string }>(sql);
			return Number(row?.total);
		};
		const prepared = (): Promise<number> => count('send_intents', "c_state = 'prepared'");
		await until(async () => (await count('send_intents', "c_state = 'sent'")) > 3, 60_000);
		forwarder.answersTakeMs = 300;
		await until(async () => (await prepared()) === 0);
		await until(async () => (await prepared()) === 1);
		// It is in the database, and the process has not heard of it yet.
		still.child.kill('SIGSTOP');
		const after = await bench.program.run({ ...task, name: 'successor', subjects: 'still' });
		await untilLeasesAreOver(place);
		forwarder.answersTakeMs = 0;
		still.child.kill('SIGCONT');
		await still.outcome;
		await forwarder.close();
		expect(after.failures).toEqual([]);
		await expectSentOnce(bench.network, scene.peer, scene.addressA, subjectsOf('still', sends));
	});
});
