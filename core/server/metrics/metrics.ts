import { setImmediate } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Instruments } from '../../base/observation/instruments';
import type { GatewayFacade } from '../../facade/gateway-facade';
import { AccountInstruments } from './account-instruments';
import { AccountReading, showAccount } from './account-reading';
import { accountCounters, accountGauges, processSeries } from './series';

/** time for which an answer is given again, however often it is asked for */
const usualReuseMs = 5_000;

/**
 * Resolution of the measured delay of the event loop: a finer one would wake an idle process a
 * hundred times a second.
 */
const loopResolutionMs = 100;

export interface MetricsOptions {
	readonly version: string;
	/** milliseconds for which an answer is given again; default: 5 seconds */
	readonly reuseMs?: number;
}

/** Answered request. */
export interface AnsweredRequest {
	readonly method: string;
	/** pattern of the route, without ids */
	readonly route: string;
	readonly status: number;
	readonly durationMs: number;
}

/** Figures of one process with any number of accounts, for `GET /metrics`. */
export class Metrics {
	private readonly register = new Registry();

	private readonly gauges = accountGauges(this.register);

	private readonly counters = accountCounters(this.register);

	private readonly process = processSeries(this.register);

	private readonly readings = new Set<AccountReading>();

	private readonly instruments = new Map<string, AccountInstruments>();

	private accountStates: (() => Readonly<Record<string, number>>) | undefined;

	private collected: { readonly text: Promise<string>; readonly at: number } | undefined;

	constructor(private readonly options: MetricsOptions) {
		collectDefaultMetrics({
			register: this.register,
			eventLoopMonitoringPrecision: loopResolutionMs,
		});
		this.process.build.set({ version: options.version }, 1);
	}

	get contentType(): string {
		return this.register.contentType;
	}

	/** Observer for the gateway of an account, which its figures count. */
	instrumentsOf(account: string): Instruments {
		let instruments = this.instruments.get(account);
		if (instruments === undefined) {
			instruments = new AccountInstruments(account, {
				counters: this.counters,
				process: this.process,
			});
			this.instruments.set(account, instruments);
		}
		return instruments;
	}

	/** Adds the figures of an open account, until they are released. */
	addAccount(
		account: string,
		{ facade }: { readonly facade: Pick<GatewayFacade, 'account'> },
	): { release(): void } {
		const reading = new AccountReading(account, facade);
		this.readings.add(reading);
		return {
			release: () => {
				if (!this.readings.delete(reading)) return;
				// An account that was opened anew meanwhile keeps its series.
				if ([...this.readings].some((other) => other.account === account)) return;
				this.instruments.get(account)?.release();
				this.instruments.delete(account);
			},
		};
	}

	/**
	 * Sets what counts the accounts by state; by default, all added accounts are `open`.
	 *
	 * @param count returns numbers by few fixed words
	 */
	countAccountStates(count: () => Readonly<Record<string, number>>): void {
		this.accountStates = count;
	}

	requestAnswered({ method, route, status, durationMs }: AnsweredRequest): void {
		this.process.requests.inc({ method, route, status: String(status) });
		this.process.requestDuration.observe({ method, route }, durationMs / 1_000);
	}

	/** All figures in the text format of Prometheus; no older than the time of reuse. */
	async text(): Promise<string> {
		const now = performance.now();
		const { reuseMs = usualReuseMs } = this.options;
		if (this.collected === undefined || now - this.collected.at >= reuseMs) {
			const text = this.collect();
			this.collected = { text, at: now };
			text.catch(() => (this.collected = undefined));
		}
		return await this.collected.text;
	}

	private async collect(): Promise<string> {
		const readings = [...this.readings];
		const statuses = [];
		for (const reading of readings) {
			statuses.push(reading.read());
			// SQLite answers without a pause, and other work must not wait for hundreds of accounts.
			await setImmediate();
		}
		const read = await Promise.all(statuses);
		for (const gauge of Object.values(this.gauges)) gauge.reset();
		for (const [index, reading] of readings.entries()) {
			if (this.readings.has(reading)) showAccount(this.gauges, reading.account, read[index]);
		}
		this.process.accounts.reset();
		const states = this.accountStates?.() ?? { open: readings.length };
		for (const [state, count] of Object.entries(states))
			this.process.accounts.set({ state }, count);
		return await this.register.metrics();
	}
}
