import { seededFraction } from '../random';

/**
 * Shares of events with their maximum delay in milliseconds; most take tens to hundreds of
 * milliseconds.
 */
const steps = [
	{ upTo: 0.8, minMs: 20, maxMs: 250 },
	{ upTo: 0.97, minMs: 250, maxMs: 900 },
	{ upTo: 1, minMs: 900, maxMs: 3_000 },
] as const;
/** Maximum time by which an early announcement precedes its event. */
const maxHeadStartMs = 150;
const earlyShare = 0.3;

/** Repetition of an event: with its id after it was finished, or with another id and index. */
export type Repetition = 'none' | 'sameId' | 'otherId';

export interface EventPlan {
	readonly delayMs: number;
	/** milliseconds by which the push precedes the event */
	readonly headStartMs: number;
	readonly repetition: Repetition;
	/** delay of the repetition, from the time at which the event is repeated */
	readonly repeatDelayMs: number;
	/** from 0 to 1; the event is lost if it is below the share of a drop rule */
	readonly dropDraw: number;
}

/**
 * Delays, repetitions and losses per queue. Everything is drawn from the seed, the type and the
 * position in the queue, so that the order in which identities act has no influence.
 */
export class QueueDelays {
	/** number by address, in order of first use, because addresses differ between runs */
	private readonly ordinals = new Map<string, number>();

	private readonly counts = new Map<string, number>();

	constructor(
		private readonly seed: number,
		private readonly repeatedShare: number,
	) {}

	plan(owner: string, name: string): EventPlan {
		const draw = this.drawer(owner, name);
		const repeats = draw('repetition') / (this.repeatedShare || Number.MIN_VALUE);
		return {
			delayMs: delayOf(draw('delay'), draw('within')),
			headStartMs: draw('early') < earlyShare ? Math.floor(draw('start') * maxHeadStartMs) : 0,
			repetition: repeats >= 1 ? 'none' : repeats < 0.5 ? 'sameId' : 'otherId',
			repeatDelayMs: delayOf(draw('again'), draw('within again')),
			dropDraw: draw('drop'),
		};
	}

	/** Delay of work other than events, such as the consequences of an ended relationship. */
	delayMs(owner: string, name: string): number {
		const draw = this.drawer(owner, name);
		return delayOf(draw('delay'), draw('within'));
	}

	private drawer(owner: string, name: string): (what: string) => number {
		let ordinal = this.ordinals.get(owner);
		if (ordinal === undefined) this.ordinals.set(owner, (ordinal = this.ordinals.size));
		const queue = `${name}|${ordinal}`;
		const position = this.counts.get(queue) ?? 0;
		this.counts.set(queue, position + 1);
		return (what) => seededFraction(this.seed, queue, position, what);
	}
}

function delayOf(kind: number, within: number): number {
	const { minMs, maxMs } = steps.find(({ upTo }) => kind < upTo) ?? steps[0];
	return Math.round(minMs + within * (maxMs - minMs));
}
