import { BackboneError, notFound } from '../http/backbone-error';
import type { EventQueues } from './event-queues';
import type { IdentityRow, Metric, QuotaPeriod, QuotaRow } from './records';
import { metrics } from './records';
import type { SandboxState } from './sandbox-state';

/** time that the real server states for a quota without renewal */
const endOfTime = '9999-12-31T23:59:59.9999999Z';

type AppliedQuota = Pick<QuotaRow, 'metricKey' | 'period' | 'max'> & {
	readonly source: 'Tier' | 'Individual';
};

interface Used {
	readonly createdAt: string;
	readonly amount?: number;
}

/** Quotas of identities (docs/protocol/backbone-api.md 18.4); without quotas nothing is limited. */
export class Quotas {
	constructor(
		private readonly state: SandboxState,
		private readonly queues: EventQueues,
	) {}

	/** Replaces all quotas. */
	replace(quotas: readonly QuotaRow[]): void {
		for (const key of [...this.state.quotas.keys()]) this.state.quotas.delete(key);
		for (const quota of quotas) this.state.quotas.save(quota);
	}

	get all(): readonly QuotaRow[] {
		return [...this.state.quotas.values()];
	}

	/**
	 * Checks quotas before an object is created. The new object does not count, so storage is
	 * exhausted only after the file that fills it.
	 *
	 * @throws `error.platform.quotaExhausted`
	 */
	require(identity: IdentityRow, ...needed: readonly Metric[]): void {
		if (this.state.quotas.size === 0 && this.queues.isEmpty && identity.status === 'Active') return;
		if (!this.state.identities.has(identity.address)) {
			if (needed.includes('NumberOfSentMessages')) return;
			throw notFound('Identity');
		}
		const exhausted = needed.flatMap((metric) => {
			const quotas = this.applied(identity, metric);
			const ends = quotas
				.filter(({ max, period }) => this.usage(identity, metric, period) >= max)
				.map(({ period }) => endOf(period, this.state.now()));
			const last = ends.sort().at(-1);
			return last === undefined ? [] : [{ metricKey: metric, isExhaustedUntil: last }];
		});
		if (exhausted.length === 0) return;
		throw new BackboneError(
			429,
			'error.platform.quotaExhausted',
			`You have exhausted your quota of ${exhausted.map(({ metricKey }) => metricKey).join(', ')}.`,
			exhausted,
		);
	}

	/** Releases the quota of a deleted object when the server's queue reaches it. */
	release(metric: Metric, owner: string, { createdAt }: Used, amount = 1): void {
		this.queues.put([owner], { kind: 'release-quota', metric, owner, createdAt, amount });
	}

	/** Quotas as the identity sees them. */
	shownTo(identity: IdentityRow): object[] {
		return metrics.flatMap((metricKey) => {
			const quotas = this.applied(identity, metricKey).map((quota) => ({
				...quota,
				usage: this.usage(identity, metricKey, quota.period),
			}));
			return quotas.length === 0 ? [] : [{ metricKey, quotas }];
		});
	}

	/**
	 * Quota in effect: an identity to be deleted has a tier that allows nothing; individual quotas
	 * override the tier.
	 */
	private applied({ address, status }: IdentityRow, metricKey: Metric): AppliedQuota[] {
		if (this.isQueuedForDeletion(address, status)) {
			return [{ source: 'Tier', metricKey, max: 0, period: 'Total' }];
		}
		const rows = this.all.filter((row) => row.metricKey === metricKey);
		const individual = rows.filter((row) => row.address === address);
		const source = individual.length > 0 ? ('Individual' as const) : ('Tier' as const);
		const applied =
			source === 'Individual' ? individual : rows.filter((row) => row.address === null);
		return applied.map(({ max, period }) => ({ source, metricKey, max, period }));
	}

	private usage({ address }: IdentityRow, metric: Metric, period: QuotaPeriod): number {
		const since = startOf(period, this.state.now());
		let sum = 0;
		for (const { createdAt, amount = 1 } of this.used(address, metric)) {
			if (Date.parse(createdAt) >= since) sum += amount;
		}
		return sum;
	}

	/** The tier changes after the status, in both directions. */
	private isQueuedForDeletion(address: string, status: IdentityRow['status']): boolean {
		const changes = this.queues.waiting.filter(
			({ task }) => task.kind === 'change-tier' && task.owner === address,
		);
		return (status !== 'Active') !== (changes.length % 2 === 1);
	}

	private used(address: string, metric: Metric): Iterable<Used> {
		const released = this.queues.waiting.flatMap(({ task }) =>
			task.kind === 'release-quota' && task.owner === address && task.metric === metric
				? [task]
				: [],
		);
		return [...this.kept(address, metric), ...released];
	}

	private kept(address: string, metric: Metric): Iterable<Used> {
		const { state } = this;
		switch (metric) {
			case 'NumberOfSentMessages':
				return (state.messagesOf.get(address) ?? []).filter((row) => row.createdBy === address);
			case 'NumberOfRelationships':
				// The recipient of a relationship uses its quota only when it accepts.
				return (state.relationshipsOf.get(address) ?? []).filter(
					({ from, auditLog }) =>
						from === address || auditLog.some(({ reason }) => reason === 'AcceptanceOfCreation'),
				);
			case 'NumberOfRelationshipTemplates':
				return state.templatesOf.get(address) ?? [];
			case 'NumberOfTokens':
				return state.tokensOf.get(address) ?? [];
			case 'NumberOfFiles':
				return state.filesOf.get(address) ?? [];
			case 'UsedFileStorageSpace':
				return [...(state.filesOf.get(address) ?? [])].map(({ createdAt, cipherSize }) => ({
					createdAt,
					amount: cipherSize,
				}));
		}
	}
}

/** Start of a calendar period in UTC; weeks begin on Monday. */
function startOf(period: QuotaPeriod, nowMs: number): number {
	const now = new Date(nowMs);
	const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
	switch (period) {
		case 'Hour':
			return Date.UTC(year, month, day, now.getUTCHours());
		case 'Day':
			return Date.UTC(year, month, day);
		case 'Week':
			return Date.UTC(year, month, day - ((now.getUTCDay() + 6) % 7));
		case 'Month':
			return Date.UTC(year, month);
		case 'Year':
			return Date.UTC(year, 0);
		case 'Total':
			return 0;
	}
}

function endOf(period: QuotaPeriod, nowMs: number): string {
	if (period === 'Total') return endOfTime;
	const start = new Date(startOf(period, nowMs));
	const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
	const ends = {
		Hour: start.getTime() + 3_600_000,
		Day: Date.UTC(year, month, day + 1),
		Week: Date.UTC(year, month, day + 7),
		Month: Date.UTC(year, month + 1),
		Year: Date.UTC(year + 1, 0),
	};
	return new Date(ends[period]).toISOString();
}
