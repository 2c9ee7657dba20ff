import type { GatewayError } from '../../base/errors';

/** time after a deletion during which the Backbone may still count the deleted object */
const countingMs = 30_000;
const shortestWaitMs = 1_000;

/**
 * Calls that free quota, with the metrics that they free (`docs/protocol/backbone-api.md` 18.4).
 */
const frees: ReadonlyArray<readonly [RegExp, readonly string[] | 'all']> = [
	[/^DELETE \/Files\//, ['NumberOfFiles', 'UsedFileStorageSpace']],
	[/^DELETE \/RelationshipTemplates\//, ['NumberOfRelationshipTemplates']],
	[/^DELETE \/Tokens\//, ['NumberOfTokens']],
	[/^PUT \/Relationships\/.*(Decompose|Reject|Revoke)$/, ['NumberOfRelationships']],
	// All quotas of an identity that is about to be deleted are 0 (9.2); cancelling restores them.
	[/^PUT \/Identities\/Self\/DeletionProcesses\/.*Cancel$/, 'all'],
];

/**
 * Remembers which quotas this process has just freed. The Backbone updates its counts later than it
 * deletes, so a call that it refuses for such a quota succeeds a moment later.
 */
export class FreedQuotas {
	private readonly freedAt = new Map<string, number>();

	/** Records a successful call. */
	note({ method, path }: { readonly method: string; readonly path: string }, nowMs: number): void {
		const [, metrics] = frees.find(([calls]) => calls.test(`${method} ${path}`)) ?? [];
		for (const metric of metrics === 'all' ? ['all'] : (metrics ?? [])) {
			this.freedAt.set(metric, nowMs);
		}
	}

	/**
	 * Returns the time to wait before the refused call is repeated; undefined if a
	 * repetition cannot succeed.
	 *
	 * @param longestMs the longest wait for the renewal time that the Backbone names
	 */
	waitMs({ facts }: GatewayError, nowMs: number, longestMs: number): number | undefined {
		const { metricKeys, isExhaustedUntil } = facts;
		if (!Array.isArray(metricKeys) || metricKeys.length === 0) return undefined;
		const untilMs = Date.parse(String(isExhaustedUntil)) - nowMs;
		const isNear = Math.abs(untilMs) <= longestMs;
		if (isNear) return Math.max(untilMs, shortestWaitMs);
		const freedAt = metricKeys.map((metric) => this.lastFreed(String(metric)));
		if (freedAt.some((at) => at === undefined || nowMs - at > countingMs)) return undefined;
		// Waits as long as the time since the deletion, which doubles it with every
		// attempt without a counter.
		const sinceMs = nowMs - Math.max(...freedAt.map((at) => at ?? nowMs));
		return Math.min(Math.max(sinceMs, shortestWaitMs), longestMs);
	}

	private lastFreed(metric: string): number | undefined {
		const [own, all] = [this.freedAt.get(metric), this.freedAt.get('all')];
		return own === undefined ? all : Math.max(own, all ?? own);
	}
}
