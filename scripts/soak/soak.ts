import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../served/client';
import { residentBytes } from '../served/resident-memory';
import type { ServedGateway } from '../served/served-gateway';
import { askMixed, type SoakedObjects } from './mixed-requests';

export interface SoakPlan {
	readonly minutes: number;
	readonly requestsPerSecond: number;
	readonly onMinute: (minute: SoakMinute, number: number) => void;
}

export interface SoakMinute {
	readonly sent: number;
	/** mean resident memory of the gateway in megabytes */
	readonly residentMB: number;
	readonly failures: readonly string[];
	/** median milliseconds of the answers */
	readonly medianMs: number;
}

const minuteMs = 60_000;
const sampleMs = 1_000;
/** Limit of pending answers, at which the gateway does not keep up. */
const maxPending = 500;

/** Sends at a fixed rate, regardless of the answers, and reads the memory every second. */
export async function soak(
	gateway: ServedGateway,
	objects: SoakedObjects,
	plan: SoakPlan,
): Promise<SoakMinute[]> {
	const load = new Load(new Client(gateway.address), objects, plan.requestsPerSecond);
	const minutes: SoakMinute[] = [];
	try {
		for (let number = 1; number <= plan.minutes; number++) {
			const endsAt = performance.now() + minuteMs;
			const samples: number[] = [];
			while (performance.now() < endsAt) {
				await delay(Math.min(sampleMs, endsAt - performance.now()));
				samples.push(residentBytes(gateway.pid) / 1_000_000);
			}
			const residentMB = samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
			const minute = { ...load.take(), residentMB };
			minutes.push(minute);
			plan.onMinute(minute, number);
		}
	} finally {
		await load.stop();
	}
	return minutes;
}

/** Requests at a fixed rate. */
class Load {
	private readonly startedAt = performance.now();

	private readonly timer: NodeJS.Timeout;

	private readonly pending = new Set<Promise<void>>();

	private number = 0;

	private taken = 0;

	private failures: string[] = [];

	private durations: number[] = [];

	constructor(
		private readonly client: Client,
		private readonly objects: SoakedObjects,
		private readonly requestsPerSecond: number,
	) {
		this.timer = setInterval(() => this.catchUp(), 1_000 / requestsPerSecond);
	}

	/** Counts since the previous call. */
	take(): Omit<SoakMinute, 'residentMB'> {
		const sent = this.number - this.taken;
		this.taken = this.number;
		const sorted = this.durations.sort((a, b) => a - b);
		const medianMs = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
		const { failures } = this;
		this.failures = [];
		this.durations = [];
		return { sent, failures, medianMs };
	}

	async stop(): Promise<void> {
		clearInterval(this.timer);
		await Promise.all(this.pending);
	}

	/** Sends all requests that are due, because timers may fire late. */
	private catchUp(): void {
		const due = ((performance.now() - this.startedAt) / 1_000) * this.requestsPerSecond;
		while (this.number < due && this.pending.size < maxPending) this.send(++this.number);
	}

	private send(number: number): void {
		const startedAt = performance.now();
		const sent = askMixed(this.client, this.objects, number)
			.catch((error: unknown) => {
				this.failures.push(error instanceof Error ? error.message : String(error));
			})
			.finally(() => {
				this.durations.push(performance.now() - startedAt);
				this.pending.delete(sent);
			});
		this.pending.add(sent);
	}
}
