import { newSeed } from '../../support/seeds';
import { size } from '../../support/sizes';
import { testProgram } from '../../support/quick/test-program';
import { Dice } from './dice';
import { bringToAnEnd } from './ending';
import { checkAll } from './properties';
import { Script } from './script';
import { World } from './world';

jest.setTimeout(600_000);

/*
 * Random scripts of two parties, with deaths of processes, of the Backbone and of connections at
 * random points. CONVERGENCE_SEED=<number> plays one script again, CONVERGENCE_SCRIPTS=<number> more
 * of them, from CONVERGENCE_FIRST=<number> on; else the first one follows from the seed of the run.
 */
const { CONVERGENCE_SEED, CONVERGENCE_SCRIPTS, CONVERGENCE_FIRST } = process.env;
const count =
	CONVERGENCE_SEED === undefined
		? Number(CONVERGENCE_SCRIPTS ?? size({ quick: 40, full: 200 }))
		: 1;
const first = Number(CONVERGENCE_SEED ?? CONVERGENCE_FIRST ?? newSeed() % 1_000_000);
/** scripts under way at a time: while one waits for the disk, another computes */
const together = 3;
/** every so many scripts, processes are killed for real */
const childrenEvery = 20;

const program = testProgram('test/scenario/convergence/worker.ts');

/** What is wrong after the script of this seed, with the script; undefined when all is well. */
async function problemOf(seed: number): Promise<string | undefined> {
	const world = await World.open(seed);
	const hasChildren = seed % childrenEvery === 0;
	const script = new Script(world, new Dice(seed), hasChildren ? program : undefined);
	let problems: string[];
	try {
		await script.play();
		await bringToAnEnd(world);
		problems = await checkAll(world);
	} catch (error) {
		problems = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
	} finally {
		await world.close();
	}
	if (problems.length === 0) return undefined;
	const steps = script.steps.map((step, index) => `  ${index + 1}. ${JSON.stringify(step)}`);
	return [`CONVERGENCE_SEED=${seed}`, ...problems, ...steps].join('\n');
}

it(`both sides agree after each of ${count} interrupted scripts, with nothing lost or doubled`, async () => {
	const seeds = Array.from({ length: count }, (_, index) => first + index);
	const problems: string[] = [];
	const playNext = async (): Promise<void> => {
		for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
			const problem = await problemOf(seed);
			if (problem !== undefined) problems.push(problem);
		}
	};
	await Promise.all(Array.from({ length: together }, playNext));
	expect(problems.join('\n\n')).toBe('');
});
