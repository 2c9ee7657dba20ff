import { setTimeout as delay } from 'node:timers/promises';
import type { Generation } from '../../test/support/peer/peer';
import { Disturbances } from './disturbances';
import { judge, type Violation } from './judge';
import { Lives } from './lives';
import { Operations } from './operations';
import { evidenceWhenQuiet } from './quiet';
import { World, type StoreKind } from './world';

export interface ChaosOptions {
	/** milliseconds of disturbed operations; the checks take additional time */
	readonly durationMs: number;
	/** repeats all random choices, but not the relative speed of the processes */
	readonly seed: number;
	readonly store: StoreKind;
	/** mean milliseconds between two kills */
	readonly killEveryMs?: number;
	/** whether an official runtime takes part, of a generation that the seed chooses */
	readonly hasOfficial?: boolean;
	readonly onRound?: (figures: Figures) => void;
}

/** What has happened, by name. */
export type Figures = Readonly<Record<string, number>>;

export interface ChaosReport {
	readonly figures: Figures;
	/** violations of the first check that found any */
	readonly violations: readonly Violation[];
	/** folder with the evidence, if there are violations */
	readonly kept?: string;
}

const processesPerAccount = 2;
const lanesPerAccount = 3;
/** Milliseconds between two checks. */
const roundMs = 75_000;

/**
 * Runs random operations on two accounts with several processes each and an official runtime, while
 * processes are killed and calls fail. At intervals the run pauses, work in progress completes, and
 * a judge compares all views. The first violation ends the run. Else it ends with a snapshot of an
 * account that is taken back, and a backup that is restored, both from the beginning of the last
 * round.
 */
export async function playChaos(options: ChaosOptions): Promise<ChaosReport> {
	const { durationMs, seed, store, killEveryMs = 800 } = options;
	const official: Generation = seed % 2 === 0 ? 6 : 7;
	const world = await World.open({
		seed,
		store,
		processesPerAccount,
		...(options.hasOfficial === false ? {} : { official }),
	});
	const operations = new Operations(world, lanesPerAccount);
	const disturbances = new Disturbances(world, killEveryMs);
	try {
		for (let left = durationMs; ; left -= roundMs) {
			const isLast = left <= roundMs;
			const lives = isLast ? await Lives.take(world, world.dice.pick(world.accounts)) : undefined;
			for (const { processes } of world.accounts) for (const process of processes) process.start();
			operations.start();
			disturbances.start();
			await delay(Math.min(roundMs, left));
			await disturbances.stop();
			await operations.stop();
			let evidence = await evidenceWhenQuiet(world);
			let violations = judge(evidence);
			world.count('checks');
			options.onRound?.(world.figures);
			await world.closeObservers();
			if (violations.length === 0 && lives !== undefined) {
				await lives.play();
				evidence = await lives.evidence();
				violations = judge(evidence);
				world.count('restores');
			}
			const { figures } = world;
			if (violations.length > 0) return { figures, violations, kept: world.keep(evidence) };
			if (isLast) return { figures, violations };
		}
	} finally {
		await disturbances.stop();
		await world.close();
	}
}
