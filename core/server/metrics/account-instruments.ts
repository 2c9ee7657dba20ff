import { SpanKind } from '@opentelemetry/api';
import type { Counter } from 'prom-client';
import type {
	Instruments,
	Judge,
	Operation,
	OperationResult,
	StoreWrite,
} from '../../base/observation/instruments';
import { inSpan } from '../tracing';
import type { accountCounters, processSeries } from './series';

interface Series {
	readonly counters: ReturnType<typeof accountCounters>;
	readonly process: ReturnType<typeof processSeries>;
}

type Labels = Readonly<Record<string, string>>;

/** Counts what the gateway of one account does, and opens spans for its operations. */
export class AccountInstruments implements Instruments {
	/** labels that have a series, which end with the account */
	private readonly used = new Map<Counter, Map<string, Labels>>();

	private isReleased = false;

	constructor(
		private readonly account: string,
		private readonly series: Series,
	) {}

	async observe<Result>(
		operation: Operation,
		work: () => Promise<Result>,
		judge: Judge<Result>,
	): Promise<Result> {
		const startedAt = performance.now();
		const { name, kind, attributes } = this.spanOf(operation);
		return await inSpan(name, { kind, attributes }, async (span) => {
			const end = (result: OperationResult): void => {
				this.ended(operation, result, (performance.now() - startedAt) / 1_000);
				span.end(result, result !== 'success' && result !== 'elsewhere');
			};
			try {
				const value = await work();
				end(judge.value(value));
				return value;
			} catch (error) {
				end(judge.error(error));
				throw error;
			}
		});
	}

	storeWritten({ waitMs, durationMs, isCommitted }: StoreWrite): void {
		const { counters, process } = this.series;
		this.count(counters.storeWrites, { result: isCommitted ? 'committed' : 'failed' });
		this.count(counters.storeWait, {}, waitMs / 1_000);
		process.storeDuration.observe(durationMs / 1_000);
	}

	/** Removes the series of the account; what ends later is not counted. */
	release(): void {
		this.isReleased = true;
		for (const [counter, labels] of this.used) {
			for (const each of labels.values()) counter.remove(each);
		}
		this.used.clear();
	}

	private ended(operation: Operation, result: OperationResult, seconds: number): void {
		const { counters, process } = this.series;
		if (operation.kind === 'sync') {
			this.count(counters.syncs, { result });
			process.syncDuration.observe(seconds);
			return;
		}
		const { method, resource } = operation;
		this.count(counters.backboneCalls, { resource, result });
		process.backboneDuration.observe({ method, resource }, seconds);
	}

	private count(counter: Counter, more: Labels, by = 1): void {
		if (this.isReleased) return;
		const labels = { account: this.account, ...more };
		let used = this.used.get(counter);
		if (used === undefined) this.used.set(counter, (used = new Map()));
		used.set(Object.values(more).join(' '), labels);
		counter.inc(labels, by);
	}

	private spanOf(operation: Operation) {
		const attributes = { 'enmeshed.account': this.account };
		if (operation.kind === 'sync') {
			return { name: 'enmeshed sync', kind: SpanKind.INTERNAL, attributes };
		}
		const { method, resource } = operation;
		return {
			name: `Backbone ${method} ${resource}`,
			kind: SpanKind.CLIENT,
			attributes: { ...attributes, 'http.request.method': method, 'enmeshed.resource': resource },
		};
	}
}
