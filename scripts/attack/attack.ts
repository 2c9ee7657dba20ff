import { residentBytes } from '../served/resident-memory';
import type { ServedGateway } from '../served/served-gateway';
import { doors, type Door } from './doors';
import { knock, type Knock, type Outcome } from './knock';

/** What one way of coming in led to. */
export interface DoorReport {
	readonly name: string;
	readonly outcomes: ReadonlyMap<Outcome, number>;
	/** those that nobody may get */
	readonly wrong: number;
}

export interface AttackPlan {
	readonly requests: number;
	/** connections at the same time */
	readonly atOnce: number;
	/** those to play; default: all that need no key */
	readonly among?: readonly Door[];
}

export interface AttackReport {
	readonly doors: readonly DoorReport[];
	readonly peakMB: number;
	readonly seconds: number;
}

const sampleMs = 100;

/** Plays the doors in turns, with many connections at once, and watches the memory of the gateway. */
export async function attack(gateway: ServedGateway, plan: AttackPlan): Promise<AttackReport> {
	const outcomes = new Map<Door, Map<Outcome, number>>();
	const turns = turnsOf(plan.among ?? doors);
	const startedAt = performance.now();
	let peak = residentBytes(gateway.pid);
	const watch = setInterval(() => {
		peak = Math.max(peak, residentBytes(gateway.pid));
	}, sampleMs);
	let number = 0;
	const play = async (): Promise<void> => {
		while (number < plan.requests) {
			const mine = number++;
			// 37 and 100 have no common divisor: each of a hundred has its turn.
			const door = turns[(mine * 37) % turns.length];
			if (door === undefined) throw new TypeError('there is no door');
			const told: Knock = door.knock(Math.floor(mine / turns.length) + mine);
			const outcome = await knock(gateway.address, told);
			const counts = outcomes.get(door) ?? new Map<Outcome, number>();
			outcomes.set(door, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
		}
	};
	try {
		await Promise.all(Array.from({ length: plan.atOnce }, play));
	} finally {
		clearInterval(watch);
	}
	return {
		doors: [...outcomes].map(([door, counts]) => reportOf(door, counts)),
		peakMB: peak / 1_000_000,
		seconds: (performance.now() - startedAt) / 1_000,
	};
}

function turnsOf(among: readonly Door[]): readonly Door[] {
	return among.flatMap((door) => Array<Door>(door.share).fill(door));
}

function reportOf({ name, allowed }: Door, outcomes: ReadonlyMap<Outcome, number>): DoorReport {
	const wrong = [...outcomes].filter(([outcome]) => !allowed.includes(outcome));
	return { name, outcomes, wrong: wrong.reduce((sum, [, times]) => sum + times, 0) };
}
