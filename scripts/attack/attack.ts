import { residentBytes } from '../served/resident-memory';
import type { ServedGateway } from '../served/served-gateway';
import { kinds, type AttackKind } from './attack-kinds';
import { runConnection, type ConnectionPlan, type Outcome } from './connection';

/** Results of one kind of attack. */
export interface AttackKindReport {
	readonly name: string;
	readonly outcomes: ReadonlyMap<Outcome, number>;
	/** outcomes that must not happen */
	readonly wrong: number;
}

export interface AttackPlan {
	readonly requests: number;
	/** number of concurrent connections */
	readonly atOnce: number;
	/** attacks to run; default: all that need no key */
	readonly among?: readonly AttackKind[];
}

export interface AttackReport {
	readonly kinds: readonly AttackKindReport[];
	readonly peakMB: number;
	readonly seconds: number;
}

const sampleMs = 100;

/**
 * Runs the attacks in rotation over many concurrent connections, and watches the gateway's memory.
 */
export async function attack(gateway: ServedGateway, plan: AttackPlan): Promise<AttackReport> {
	const outcomes = new Map<AttackKind, Map<Outcome, number>>();
	const turns = turnsOf(plan.among ?? kinds);
	const startedAt = performance.now();
	let peak = residentBytes(gateway.pid);
	const watch = setInterval(() => {
		peak = Math.max(peak, residentBytes(gateway.pid));
	}, sampleMs);
	let number = 0;
	const play = async (): Promise<void> => {
		while (number < plan.requests) {
			const mine = number++;
			// 37 and 100 are coprime, so the permutation visits each of the hundred places.
			const kind = turns[(mine * 37) % turns.length];
			if (kind === undefined) throw new TypeError('there is no kind');
			const connection: ConnectionPlan = kind.plan(Math.floor(mine / turns.length) + mine);
			const outcome = await runConnection(gateway.address, connection);
			const counts = outcomes.get(kind) ?? new Map<Outcome, number>();
			outcomes.set(kind, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
		}
	};
	try {
		await Promise.all(Array.from({ length: plan.atOnce }, play));
	} finally {
		clearInterval(watch);
	}
	return {
		kinds: [...outcomes].map(([kind, counts]) => reportOf(kind, counts)),
		peakMB: peak / 1_000_000,
		seconds: (performance.now() - startedAt) / 1_000,
	};
}

function turnsOf(among: readonly AttackKind[]): readonly AttackKind[] {
	return among.flatMap((kind) => Array<AttackKind>(kind.share).fill(kind));
}

function reportOf(
	{ name, allowed }: AttackKind,
	outcomes: ReadonlyMap<Outcome, number>,
): AttackKindReport {
	const wrong = [...outcomes].filter(([outcome]) => !allowed.includes(outcome));
	return { name, outcomes, wrong: wrong.reduce((sum, [, times]) => sum + times, 0) };
}
