import { setTimeout as delay } from 'node:timers/promises';
import type { Generation } from '../../test/support/peer/peer';
import { Dice } from '../fuzz/dice';
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
	/** milliseconds between two checks */
	readonly roundMs?: number;
	/** mean milliseconds between two kills */
	readonly killEveryMs?: number;
	/** whether an official runtime takes part, of a generation that the seed chooses */
	readonly hasOfficial?: boolean;
	readonly onRound?: (figures: Figures) => void;
}

export interface Figures {
	readonly operations: number;
	readonly kills: number;
	readonly restarts: number;
	readonly pauses: number;
	readonly clockJumps: number;
	/** number of disturbed calls to the Backbone */
	readonly faults: number;
	readonly cutConnections: number;
	/** messages that the Backbone has shown again under other ids */
	readonly repeatedMessages: number;
	readonly messages: number;
	readonly events: number;
	readonly checks: number;
	/** number of accounts that were used in copies, and restored */
	readonly restores: number;
	readonly violations: number;
}

export interface ChaosReport {
	readonly figures: Figures;
	/** violations of the first check that found any */
	readonly violations: readonly Violation[];
	/** folder with the evidence, if there are violations */
	readonly kept?: string;
}

const processesPerAccount = 2;
const lanesPerAccount = 3;

/**
 * Runs random operations on two accounts with several processes each and an official runtime, while
 * processes are killed and calls fail. At intervals the run pauses, work in progress completes, and
 * a judge compares all views. The first violation ends the run. Else it ends with a snapshot of an account
 * that is taken back, and a backup that is restored, both from the beginning of the last round.
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
		restores = 0,
	): ChaosReport => ({
		figures: {
			operations: operations.done,
			kills: disturbances.kills,
			restarts: disturbances.restarts,
			pauses: disturbances.pauses,
			clockJumps: disturbances.clockJumps,
			faults: world.backbone.faults.taken,
			cutConnections: disturbances.cutConnections,
			repeatedMessages: disturbances.repeatedMessages,
			messages: world.backbone.state.messages.size,
			events,
			checks,
			restores,
			violations: violations.length,
		},
		violations,
	});
	try {
		for (let checks = 1, left = durationMs; ; checks++, left -= roundMs) {
			const isLast = left <= roundMs;
			const lives = isLast ? await Lives.take(world, dice.pick(world.accounts)) : undefined;
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
			if (lives === undefined) continue;
			await lives.play();
			const afterwards = await lives.evidence();
			const last = report(checks + 1, judge(afterwards), events, 1);
			return last.violations.length > 0 ? { ...last, kept: world.keep(afterwards) } : last;
		}
	} finally {
		await disturbances.stop();
		await world.close();
	}
}

function startProcesses(world: World): void {
	for (const account of world.accounts) for (const process of account.processes) process.start();
}
