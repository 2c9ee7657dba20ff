import { placeInSqlite, type Place } from '../../support/accounts/account-places';
import { until } from '../../support/until';
import { codesOf, PausedProcessBench, tookOver, untilLeasesAreOver } from './paused-process-bench';

jest.setTimeout(600_000);

let bench: PausedProcessBench;

beforeAll(async () => {
	bench = await PausedProcessBench.open();
});

afterAll(() => bench.close());

describe('a process that is suspended for longer than its lease', () => {
	const newPlace = (): Place => placeInSqlite(bench.network.newFolder());

	it('comes back to what its successor has done, in SQLite', async () => {
		const { scene, late, after } = await bench.standStill(newPlace, false);
		await bench.expectNoHarm(scene, late, after);
		expect(codesOf(late)).toContain(tookOver);
	});

	it('in the middle of a commit keeps a SQLite file locked, and goes on with it', async () => {
		const { scene, still, way } = await bench.stopInTheMiddle(newPlace, true);
		const successor = bench.successorOf(scene);
		await untilLeasesAreOver(scene.place);
		await until(() => successor.told().includes('error.gateway.store.busy'));
		still.child.kill('SIGCONT');
		const [after, late] = await Promise.all([successor.outcome, still.outcome]);
		await way.close();
		await bench.expectNoHarm(scene, late, after);
		expect(codesOf(after)).toContain('error.gateway.store.busy');
	});
});
