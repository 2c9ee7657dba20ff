import { systemClock } from '../../base/clock';
import type { NewAuditEntry } from '../../model/record/http/audit';

const windowMs = 60_000;
/** different refusals that get rows of their own in a minute */
const mostOfMinute = 30;

interface Counted {
	readonly entry: NewAuditEntry;
	more: number;
}

/**
 * Bounds the rows about refused calls. The first of its kind in a minute gets a row at once; those
 * like it get one row together when the minute ends, and so do all beyond 30 different ones.
 */
export class RefusalCount {
	private readonly counted = new Map<string, Counted>();

	private startedAt = 0;

	private timer: NodeJS.Timeout | undefined;

	constructor(private readonly record: (entry: NewAuditEntry) => Promise<unknown>) {}

	async note(entry: NewAuditEntry): Promise<void> {
		if (systemClock.now() - this.startedAt >= windowMs) await this.flush();
		const { correlationId: _correlationId, ...kind } = entry;
		const known = this.counted.get(JSON.stringify(kind));
		if (known !== undefined) {
			known.more++;
			return;
		}
		if (this.counted.size === 0) this.begin();
		if (this.counted.size < mostOfMinute) {
			this.counted.set(JSON.stringify(kind), { entry: kind, more: 0 });
			await this.record(entry);
			return;
		}
		const others = othersLike(entry);
		const place = JSON.stringify(others);
		const more = (this.counted.get(place)?.more ?? 0) + 1;
		this.counted.set(place, { entry: others, more });
	}

	/** Writes the rows of the minute that ends. */
	async flush(): Promise<void> {
		clearTimeout(this.timer);
		const ended = [...this.counted.values()];
		this.counted.clear();
		for (const { entry, more } of ended) {
			if (more > 0) await this.record({ ...entry, times: more });
		}
	}

	private begin(): void {
		this.startedAt = systemClock.now();
		this.timer = setTimeout(() => void this.flush(), windowMs);
		this.timer.unref();
	}
}

/** Row for refusals of which there are too many different ones: few of these exist. */
function othersLike({ account, status }: NewAuditEntry): NewAuditEntry {
	return {
		account,
		actor: { kind: 'unknown', name: 'several clients' },
		method: 'several',
		route: 'several',
		...(status === undefined ? {} : { status }),
	};
}
