import type { GatewayError } from '../base/errors';
import type { Call } from './backbone-caller';

/** so long after a deletion a quota may still be counted as before */
const countingMs = 30_000;
const shortestWaitMs = 1_000;

/** What gives room again, and for which metrics (`docs/protocol/backbone-api.md` 18.4). */
const frees: ReadonlyArray<readonly [RegExp, readonly string[] | 'all']> = [
	[/^DELETE \/Files\//, ['NumberOfFiles', 'UsedFileStorageSpace']],
	[/^DELETE \/RelationshipTemplates\//, ['NumberOfRelationshipTemplates']],
	[/^DELETE \/Tokens\//, ['NumberOfTokens']],
	[/^PUT \/Relationships\/.*(Decompose|Reject|Revoke)$/, ['NumberOfRelationships']],
	// While the identity is to be deleted, all its quotas are 0 (9.2).
	[/^PUT \/Identities\/Self\/DeletionProcesses\/.*Cancel$/, 'all'],
];

/**
 * Backbones count later than they delete: a call that is refused because of a quota which we have just
 * made room in works a moment later.
 */
export class FreedQuotas {
	private readonly freedAt = new Map<string, number>();

	/** The call has succeeded. */
	note({ method, path }: Pick<Call, 'method' | 'path'>, nowMs: number): void {
		const [, metrics] = frees.find(([calls]) => calls.test(`${method} ${path}`)) ?? [];
		for (const metric of metrics === 'all' ? ['all'] : (metrics ?? [])) {
			this.freedAt.set(metric, nowMs);
		}
	}

	/**
	 * How long to wait before the refused call is tried again; undefined when waiting is in vain.
	 *
	 * @param longestMs an end of the exhaustion that the Backbone names is waited for up to this long
	 */
	waitMs({ facts }: GatewayError, nowMs: number, longestMs: number): number | undefined {
		const { metricKeys, isExhaustedUntil } = facts;
		if (!Array.isArray(metricKeys) || metricKeys.length === 0) return undefined;
		const untilMs = Date.parse(String(isExhaustedUntil)) - nowMs;
		const isNear = Math.abs(untilMs) <= longestMs;
		if (isNear) return Math.max(untilMs, shortestWaitMs);
		const freedAt = metricKeys.map((metric) => this.lastFreed(String(metric)));
		if (freedAt.some((at) => at === undefined || nowMs - at > countingMs)) return undefined;
		// Twice as long with every try, without counting them: as long as it took until now.
		const sinceMs = nowMs - Math.max(...freedAt.map((at) => at ?? nowMs));
		return Math.min(Math.max(sinceMs, shortestWaitMs), longestMs);
	}

	private lastFreed(metric: string): number | undefined {
		const [own, all] = [this.freedAt.get(metric), this.freedAt.get('all')];
		return own === undefined ? all : Math.max(own, all ?? own);
	}
}
