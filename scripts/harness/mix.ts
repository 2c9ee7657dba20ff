import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../served/resident-memory';

/** Outcome of a request: its status, or its end without an answer. */
export type Outcome = number | string;

/** Kind of request, and its allowed outcomes. */
export interface Kind {
	readonly name: string;
	/** number of requests in a turn through the mix */
	readonly share: number;
	readonly allowed: readonly Outcome[];
	/** @param number number of the request, by which variants alternate */
	play(number: number): Promise<Outcome>;
}

export interface Load {
	/** process whose memory is watched */
	readonly pid: number;
	readonly from?: number;
	readonly count: number;
	/** largest number of requests without an answer */
	readonly atOnce: number;
	/** absent: as fast as the answers come */
	readonly perSecond?: number;
}

export interface MixReport {
	readonly outcomes: ReadonlyMap<Kind, ReadonlyMap<Outcome, number>>;
	/** outcomes that must not happen, by kind */
	readonly wrong: ReadonlyMap<Kind, number>;
	readonly peakMB: number;
	readonly meanMB: number;
	readonly medianMs: number;
	readonly seconds: number;
}

const sampleMs = 100;

export const residentMB = (pid: number): number => residentBytes(pid) / 1_000_000;

/** Plays requests of all kinds in rotation, and watches the memory of the process that answers. */
export async function playMix(kinds: readonly Kind[], load: Load): Promise<MixReport> {
	const turns = kinds.flatMap((kind) => Array<Kind>(kind.share).fill(kind));
	const outcomes = new Map(kinds.map((kind) => [kind, new Map<Outcome, number>()]));
	const startedAt = performance.now();
	const durations: number[] = [];
	const samples = [residentMB(load.pid)];
	const watch = setInterval(() => samples.push(residentMB(load.pid)), sampleMs);
	let played = 0;
	const lane = async (): Promise<void> => {
		while (played < load.count) {
			const mine = played++;
			const dueMs = load.perSecond === undefined ? 0 : (1_000 * mine) / load.perSecond;
			await delay(Math.max(0, startedAt + dueMs - performance.now()));
			// 37 is prime to the sums of shares, so a turn visits each of its places.
			const kind = turns[(mine * 37) % turns.length];
			if (kind === undefined) throw new TypeError('There is no kind');
			const sentAt = performance.now();
			const number = (load.from ?? 0) + mine;
			const outcome = await kind.play(number).catch((error: unknown) => String(error));
			durations.push(performance.now() - sentAt);
			const counts = outcomes.get(kind);
			counts?.set(outcome, (counts.get(outcome) ?? 0) + 1);
		}
	};
	try {
		await Promise.all(Array.from({ length: load.atOnce }, lane));
	} finally {
		clearInterval(watch);
	}
	const wrong = [...outcomes].map(([kind, counts]) => {
		const others = [...counts].filter(([outcome]) => !kind.allowed.includes(outcome));
		return [kind, others.reduce((sum, [, count]) => sum + count, 0)] as const;
	});
	return {
		outcomes,
		wrong: new Map(wrong),
		peakMB: Math.max(...samples),
		meanMB: samples.reduce((sum, sample) => sum + sample, 0) / samples.length,
		medianMs: durations.sort((a, b) => a - b)[Math.floor(durations.length / 2)] ?? Number.NaN,
		seconds: (performance.now() - startedAt) / 1_000,
	};
}
