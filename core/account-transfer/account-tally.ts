import { createHash, type Hash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json';
import { sections, type ContentRow, type Section } from './account-content';
import { ownJson } from '../model/json';

/** Summary by which two copies of an account are compared. */
export interface ContentSummary {
	/** number of rows by section; empty sections are absent */
	readonly counts: Readonly<Partial<Record<Section, number>>>;
	/** digest by section over its rows, secrets included, in a canonical form and in order */
	readonly digests: Readonly<Partial<Record<Section, string>>>;
	/** digest over all sections */
	readonly digest: string;
	/**
	 * Counters by name. Not part of the digest: an activated copy skips numbers and is ahead of its
	 * original.
	 */
	readonly counters: ReadonlyMap<string, number>;
}

/** Counts and hashes rows. */
export class AccountTally {
	private readonly counts = new Map<Section, number>();

	private readonly hashes = new Map<Section, Hash>();

	private readonly counters = new Map<string, number>();

	add(row: ContentRow): void {
		const { section } = row;
		this.counts.set(section, (this.counts.get(section) ?? 0) + 1);
		if (section === 'counters') {
			this.counters.set(String(row.record['name']), Number(row.record['next']));
			return;
		}
		const hash = this.hashes.get(section) ?? createHash('sha256');
		this.hashes.set(section, hash);
		hash.update(`${canonicalRow(row)}\n`);
	}

	summary(): ContentSummary {
		const digests = Object.fromEntries(
			sections.flatMap((section) => {
				const hash = this.hashes.get(section);
				return hash === undefined ? [] : [[section, hash.copy().digest('base64url')]];
			}),
		);
		return {
			counts: Object.fromEntries(this.counts),
			digests,
			digest: createHash('sha256').update(canonicalJson(digests)).digest('base64url'),
			counters: new Map(this.counters),
		};
	}
}

export async function tallyOf(rows: AsyncIterable<ContentRow>): Promise<ContentSummary> {
	const tally = new AccountTally();
	for await (const row of rows) tally.add(row);
	return tally.summary();
}

/** Sections in which two copies differ; counters of the second may be ahead, but not behind. */
export function differences(first: ContentSummary, second: ContentSummary): Section[] {
	const isBehind = [...first.counters].some(
		([name, next]) => (second.counters.get(name) ?? 0) < next,
	);
	return sections.filter((section) =>
		section === 'counters'
			? isBehind || first.counters.size !== second.counters.size
			: first.digests[section] !== second.digests[section],
	);
}

/** Excludes the flag that requests a reconciliation, which is set when a backup is activated. */
function canonicalRow({ section, record, secrets }: ContentRow): string {
	const { reconciliationNeeded: _mark, ...syncState } = record;
	const content = section === 'syncState' ? syncState : record;
	return canonicalJson(ownJson([content, secrets ?? null]));
}
