import { setTimeout as delay } from 'node:timers/promises';
import type { Generation } from '../../test/support/peer';
import { Dice } from '../fuzz/dice';
import { Disturbances } from './disturbances';
import { judge, type Violation } from './judge';
import { Operations } from './operations';
import { evidenceWhenQuiet } from './quiet';
import { World, type StoreKind } from './world';

export interface ChaosOptions {
	/** how long operations are disturbed; the checks come on top */
	readonly durationMs: number;
	/** repeats what is drawn, not the order in which processes get on */
	readonly seed: number;
	readonly store: StoreKind;
	/** time between two checks */
	readonly roundMs?: number;
	/** mean time between two kills */
	readonly killEveryMs?: number;
	/** whether an official runtime takes part, of the generation that the seed draws */
	readonly hasOfficial?: boolean;
	readonly onRound?: (figures: Figures) => void;
}

export interface Figures {
	readonly operations: number;
	readonly kills: number;
	readonly restarts: number;
	readonly pauses: number;
	/** calls to the Backbone that were disturbed */
	readonly faults: number;
	readonly cutConnections: number;
	readonly messages: number;
	readonly events: number;
	readonly checks: number;
	readonly violations: number;
}

export interface ChaosReport {
	readonly figures: Figures;
	/** of the first check that found any */
	readonly violations: readonly Violation[];
	/** folder with what the judge saw, when there are violations */
	readonly kept?: string;
}

const processesPerAccount = 2;
const lanesPerAccount = 3;

/**
 * Two accounts with several processes each and an official runtime do random operations, while processes are
 * killed and calls fail. From time to time all of this is stopped, everything that is under way comes to its
 * end, and a judge compares all views. The first violation ends the run.
 */
export async function playChaos(options: ChaosOptions): Promise<ChaosReport> {
	const { durationMs, seed, store, roundMs = 75_000, killEveryMs = 800 } = options;
	const dice = new Dice(seed);
	const official: Generation = seed % 2 === 0 ? 6 : 7;
	const world = await World.open({
		seed,
		store,
		processesPerAccount,
		...(options.hasOfficial === false ? {} : { official }),
	});
	const operations = new Operations(world, dice, lanesPerAccount);
	const disturbances = new Disturbances(world, dice, killEveryMs);
	const report = (
		checks: number,
		violations: readonly Violation[],
		events: number,
	): ChaosReport => ({
		figures: {
			operations: operations.done,
			kills: disturbances.kills,
			restarts: disturbances.restarts,
			pauses: disturbances.pauses,
			faults: world.backbone.faults.taken,
			cutConnections: disturbances.cutConnections,
			messages: world.backbone.state.messages.size,
			events,
			checks,
			violations: violations.length,
		},
		violations,
	});
	try {
		for (let checks = 1, left = durationMs; ; checks++, left -= roundMs) {
			startProcesses(world);
			operations.start();
			disturbances.start();
			await delay(Math.min(roundMs, left));
			await disturbances.stop();
			await operations.stop();
			const evidence = await evidenceWhenQuiet(world);
			const events = evidence.accounts.reduce((sum, account) => sum + account.events.length, 0);
			const current = report(checks, judge(evidence), events);
			options.onRound?.(current.figures);
			await world.closeObservers();
			if (current.violations.length > 0) return { ...current, kept: world.keep(evidence) };
			if (left <= roundMs) return current;
		}
	} finally {
		await disturbances.stop();
		await world.close();
	}
}

function startProcesses(world: World): void {
	for (const account of world.accounts) for (const process of account.processes) process.start();
}
