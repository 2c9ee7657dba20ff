import { setImmediate } from 'node:timers/promises';
import type { Cancellable } from '../../base/abort';
import { decodeBase64Url, decodeUtf8, encodeBase64Url, encodeUtf8 } from '../../base/encoding';
import { codeOf } from '../../base/errors';
import type { HistoryEntryDto, HistoryKind } from '../../model/record/contact-data';
import type {
	Condition,
	Entry,
	Query,
	ReadCollection,
	ReadTransaction,
	Store,
} from '../../store/store';

type WithoutPosition<Dto> = Dto extends unknown ? Omit<Dto, 'position'> : never;

/** Entry before its place in the list is known. */
export type HistoryDraft = WithoutPosition<HistoryEntryDto>;

/** Record of a source with the entries that it gives, in their order. */
export interface TimelineRow {
	readonly id: string;
	readonly at: string;
	readonly drafts: readonly HistoryDraft[];
}

/** Part of the rows of a source. */
interface RowRange {
	/** lowest time */
	readonly from?: string | undefined;
	/** time before which all rows are */
	readonly before?: string | undefined;
	/** highest time */
	readonly upTo?: string | undefined;
	/** row after which the rows begin; `before` counts instead if it is gone */
	readonly afterRow?: { readonly id: string; readonly at: string };
	readonly limit: number;
}

/** One kind of rows in the order of their times, the newest first, read by an index. */
export interface TimelineSource {
	/** name in positions; never changes */
	readonly name: string;
	readonly kind: HistoryKind;
	read(tx: ReadTransaction, range: RowRange): Promise<TimelineRow[]>;
	/** reads one row, for sources whose rows give several entries */
	one?(tx: ReadTransaction, id: string): Promise<TimelineRow | undefined>;
}

/** Place of an entry in the merged list. */
export interface TimelinePlace {
	readonly at: string;
	readonly source: string;
	readonly id: string;
	/** number of the entry within its row */
	readonly part: number;
}

interface Listed<Record, Secrets, Field extends string> extends Pick<
	TimelineSource,
	'name' | 'kind'
> {
	collection(tx: ReadTransaction): ReadCollection<Record, Secrets, Field>;
	/** field of the time, by which the list is ordered */
	readonly time: Field;
	readonly where: ReadonlyArray<Condition<Field>>;
	/** when a row happened; at its creation unless given */
	timeOf?(record: Record): string;
	toDrafts(
		tx: ReadTransaction,
		entry: Entry<Record, Secrets>,
		at: string,
	): Promise<HistoryDraft[]> | HistoryDraft[];
}

/** Source that lists the records of a collection. */
export function listed<
	Record extends { readonly id: string; readonly createdAt: string },
	Secrets,
	Field extends string,
>(source: Listed<Record, Secrets, Field>): TimelineSource {
	const { name, kind, time, where, collection, toDrafts } = source;
	const toRow = async (
		tx: ReadTransaction,
		entry: Entry<Record, Secrets>,
	): Promise<TimelineRow> => {
		const at = source.timeOf?.(entry.record) ?? entry.record.createdAt;
		return { id: entry.record.id, at, drafts: await toDrafts(tx, entry, at) };
	};
	return {
		name,
		kind,
		read: async (tx, range) => {
			const entries = await listRange(collection(tx), time, where, range);
			const rows: TimelineRow[] = [];
			for (const entry of entries) rows.push(await toRow(tx, entry));
			return rows;
		},
		one: async (tx, id) => {
			const entry = await collection(tx).get(id);
			return entry && (await toRow(tx, entry));
		},
	};
}

async function listRange<Record, Secrets, Field extends string>(
	collection: ReadCollection<Record, Secrets, Field>,
	time: Field,
	where: ReadonlyArray<Condition<Field>>,
	{ from, before, upTo, afterRow, limit }: RowRange,
): Promise<Array<Entry<Record, Secrets>>> {
	const query = (conditions: ReadonlyArray<Condition<Field>>): Query<Field> => ({
		where: [...where, ...conditions],
		orderBy: { field: time, direction: 'desc' },
		limit,
	});
	const limits: Array<Condition<Field>> = [{ field: time, op: 'gte', value: from ?? '' }];
	if (before !== undefined) limits.push({ field: time, op: 'lt', value: before });
	if (upTo !== undefined) limits.push({ field: time, op: 'lte', value: upTo });
	if (afterRow === undefined) return await collection.list(query(limits));
	try {
		return await collection.list({ ...query(limits), after: afterRow.id });
	} catch (error) {
		if (codeOf(error) !== 'error.gateway.store.unknownCursor') throw error;
		const older = { field: time, op: 'lt', value: afterRow.at } as const;
		return await collection.list(query([...limits, older]));
	}
}

/** Rows in memory within a range, for a source that has few. */
export function rowsInRange(
	rows: readonly TimelineRow[],
	{ from, before, upTo, afterRow, limit }: RowRange,
): TimelineRow[] {
	const place = rows.findIndex(({ id }) => id === afterRow?.id);
	const isGone = afterRow !== undefined && place === -1;
	return rows
		.slice(place + 1)
		.filter(({ at }) => from === undefined || at >= from)
		.filter(({ at }) => before === undefined || at < before)
		.filter(({ at }) => upTo === undefined || at <= upTo)
		.filter(({ at }) => !isGone || at < afterRow.at)
		.slice(0, limit);
}

/** records that are read at once from a source */
const rowsAtOnce = 200;

interface Asked {
	readonly after?: string | undefined;
	readonly before?: string | undefined;
	readonly limit?: number | undefined;
	readonly place?: TimelinePlace | undefined;
}

/**
 * Merges the sources into one list, the newest entry first; of entries at the same time, the
 * earlier source comes first. Each source is read in pages with a transaction each, and not further
 * than the list goes.
 */
export async function readTimeline(
	store: Store,
	sources: readonly TimelineSource[],
	asked: Asked,
	options: Cancellable,
): Promise<HistoryEntryDto[]> {
	const { limit = Number.POSITIVE_INFINITY, place } = asked;
	const placed = sources.findIndex(({ name }) => name === place?.source);
	const readers = sources.map(
		(source, rank) => new SourceReader(store, source, asked, Math.sign(rank - placed), options),
	);
	const entries: HistoryEntryDto[] = [];
	while (entries.length < limit) {
		let newest: SourceReader | undefined;
		for (const reader of readers) {
			const head = await reader.head();
			const before = newest?.current;
			if (head !== undefined && (before === undefined || head.at > before.at)) newest = reader;
		}
		const entry = newest?.take();
		if (entry === undefined) break;
		entries.push(entry);
	}
	return entries;
}

interface Placed {
	readonly draft: HistoryDraft;
	readonly at: string;
	readonly place: TimelinePlace;
}

/** Entries of one source from the place where the list continues. */
class SourceReader {
	private readonly buffer: Placed[] = [];

	private last: { readonly id: string; readonly at: string } | undefined;

	private state: 'begin' | 'more' | 'end' = 'begin';

	/**
	 * @param side -1: the source comes before the source of the place, whose time it has passed; 1:
	 * after it
	 */
	constructor(
		private readonly store: Store,
		private readonly source: TimelineSource,
		private readonly asked: Asked,
		private readonly side: number,
		private readonly options: Cancellable,
	) {}

	/** Newest entry that was not taken, once `head` has read it. */
	get current(): Placed | undefined {
		return this.buffer[0];
	}

	async head(): Promise<Placed | undefined> {
		while (this.buffer.length === 0 && this.state !== 'end') await this.fill();
		return this.current;
	}

	take(): HistoryEntryDto | undefined {
		const taken = this.buffer.shift();
		return taken && { ...taken.draft, position: writePosition(taken.place) };
	}

	private async fill(): Promise<void> {
		// A store in this process answers without letting timers and other connections run.
		if (this.state === 'more') await setImmediate();
		const { after, before, limit = rowsAtOnce, place } = this.asked;
		const size = Math.min(limit, rowsAtOnce);
		const range = { from: after, before, limit: size };
		const isFirst = this.state === 'begin';
		const rows = await this.store.read(async (tx) => {
			if (!isFirst || place === undefined) {
				return await this.source.read(tx, this.after(range, this.last));
			}
			if (this.side < 0) return await this.source.read(tx, { ...range, before: place.at });
			if (this.side > 0) return await this.source.read(tx, { ...range, upTo: place.at });
			const own = await this.source.one?.(tx, place.id);
			const later = await this.source.read(tx, this.after(range, place));
			if (own !== undefined) this.add(own, place.part + 1);
			return later;
		}, this.options);
		for (const row of rows) this.add(row, 0);
		this.last = rows.at(-1);
		this.state = rows.length < size ? 'end' : 'more';
	}

	private after(range: RowRange, last: { readonly id: string; readonly at: string } | undefined) {
		return last === undefined ? range : { ...range, afterRow: { id: last.id, at: last.at } };
	}

	private add({ id, at, drafts }: TimelineRow, fromPart: number): void {
		const { name } = this.source;
		for (const [part, draft] of drafts.entries()) {
			if (part >= fromPart) this.buffer.push({ draft, at, place: { at, source: name, id, part } });
		}
	}
}

function writePosition({ at, source, id, part }: TimelinePlace): string {
	return encodeBase64Url(encodeUtf8(JSON.stringify([at, source, id, part])));
}

/** Reads the place that an entry has given as its position; undefined for any other text. */
export function readPosition(position: string): TimelinePlace | undefined {
	const bytes = decodeBase64Url(position);
	const text = bytes && decodeUtf8(bytes);
	if (text === undefined) return undefined;
	let parts: unknown;
	try {
		parts = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!Array.isArray(parts)) return undefined;
	const [at, source, id, part]: unknown[] = parts;
	const areTexts = typeof at === 'string' && typeof source === 'string' && typeof id === 'string';
	if (!areTexts || typeof part !== 'number') return undefined;
	return { at, source, id, part };
}
