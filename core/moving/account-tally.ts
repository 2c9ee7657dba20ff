import { createHash, type Hash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json';
import { sections, type ContentRow, type Section } from './account-content';

type Value = Parameters<typeof canonicalJson>[0];

/** What two copies of an account are compared by. */
export interface ContentSummary {
	/** rows of each section that has some */
	readonly counts: Readonly<Partial<Record<Section, number>>>;
	/** of each section's rows, secrets included, in a canonical form and in their order */
	readonly digests: Readonly<Partial<Record<Section, string>>>;
	/** of all of them */
	readonly digest: string;
	/** Not part of the digest: those of an arrived copy are ahead of those it was made from. */
	readonly counters: ReadonlyMap<string, number>;
}

/** Counts and hashes rows as they pass by. */
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

/** The sections in which two copies differ; counters of the second may be ahead, not behind. */
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

/** The mark that asks for a comparison with the Backbone is set when a backup comes to life. */
function canonicalRow({ section, record, secrets }: ContentRow): string {
	const { reconciliationNeeded: _mark, ...syncState } = record;
	const content = section === 'syncState' ? syncState : record;
	return canonicalJson([content, secrets ?? null] as Value);
}
