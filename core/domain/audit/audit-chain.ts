import { createHmac } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../../base/canonical-json';
import type {
	AuditChainSecrets,
	AuditEntryRecord,
	AuditFindingDto,
	AuditHeadDto,
} from '../../model/record/http/audit';

/** What stands under a number: a row, nothing, or something that cannot be read as a row. */
export type FoundRow = AuditEntryRecord | 'missing' | 'unreadable';

/** Keyed hash of a row, which binds all its members and all rows before it (docs/adr/0051). */
export function macOf(key: Uint8Array, before: string, row: Omit<AuditEntryRecord, 'mac'>): string {
	const text = canonicalJson([before, plain(row)]);
	return createHmac('sha256', key).update(text).digest('base64url');
}

/**
 * The object of a row as it is stored: a keyed hash stands for an address, so that a person who is
 * erased leaves none, and rows about a person can still be found by the address.
 */
export function storedObject(key: Uint8Array, object: string): string {
	return object
		.split('/')
		.map((part) => (part.startsWith('did:') ? personOf(key, part) : part))
		.join('/');
}

function personOf(key: Uint8Array, address: string): string {
	const hash = createHmac('sha256', key).update(`person ${address}`).digest('base64url');
	return `person:${hash.slice(0, keptOfHash)}`;
}

/** The row as it is stored: without members that have no value. */
function plain(row: object): JsonValue {
	const read: JsonValue = JSON.parse(JSON.stringify(row));
	return read;
}

/** characters of a hash that stands for an address: 132 bits */
const keptOfHash = 22;

const mostFindings = 1_000;

/**
 * Walks through the rows in the order of their numbers and notes what does not fit. After a changed
 * row it goes on with the hash of the row as it stands and with the computed hash, so that one change
 * is one finding.
 */
export class ChainCheck {
	readonly findings: AuditFindingDto[] = [];

	/** number of rows that were looked at */
	checked = 0;

	/** rows whose number has nothing */
	missing = 0;

	private next: number;

	/** hashes that the row before may have; none if it is not known */
	private before: readonly string[];

	private readonly key: Uint8Array;

	/**
	 * @param known numbers and hashes of rows, as they were written down or remembered earlier
	 */
	constructor(
		{ key, first }: Pick<AuditChainSecrets, 'key' | 'first'>,
		private readonly known: readonly AuditHeadDto[] = [],
	) {
		this.key = Buffer.from(key, 'base64url');
		this.next = first.number;
		this.before = [first.before];
		this.compareKnown(first.number - 1, first.before);
		// Retention has removed what it belongs to, so nothing proves it.
		for (const { number } of known) {
			if (number < first.number - 1) this.found('givenHead', number);
		}
	}

	get nextNumber(): number {
		return this.next;
	}

	/** Goes on at a later row, because retention has removed what is before it meanwhile. */
	skipTo(first: AuditChainSecrets['first']): void {
		if (first.number <= this.next) return;
		this.next = first.number;
		this.before = [first.before];
	}

	add(row: FoundRow): void {
		const number = this.next++;
		this.checked++;
		if (row === 'missing' || row === 'unreadable') {
			if (row === 'missing') this.missing++;
			this.found(row === 'missing' ? 'missing' : 'changed', number);
			this.before = [];
			this.compareKnown(number, undefined);
			return;
		}
		const shouldBe = this.expected(row);
		if (this.before.length === 0) this.found('unchecked', number);
		else if (!shouldBe.includes(row.mac)) this.found('changed', number);
		this.before = shouldBe.includes(row.mac) ? [row.mac] : [row.mac, ...shouldBe];
		this.compareKnown(number, row.mac);
	}

	/** Compares the end with the sealed record, and reports rows that are no part of the audit. */
	end(newest: AuditHeadDto, foreign: number): void {
		const isOther = this.before.length > 0 && !this.before.includes(newest.mac);
		if (isOther) this.found('newest', newest.number);
		if (foreign !== 0) {
			const { number } = newest;
			this.findings.push({ kind: 'foreign', from: number, to: number, count: foreign });
		}
		for (const { number } of this.known) {
			if (number > newest.number) this.found('givenHead', number);
		}
	}

	private expected({ mac: _mac, ...row }: AuditEntryRecord): string[] {
		try {
			return this.before.map((before) => macOf(this.key, before, row));
		} catch {
			// What stands there is no row.
			return [];
		}
	}

	private compareKnown(number: number, mac: string | undefined): void {
		const isOther = this.known.some((head) => head.number === number && head.mac !== mac);
		if (isOther) this.found('givenHead', number);
	}

	private found(kind: AuditFindingDto['kind'], number: number): void {
		const last = this.findings.at(-1);
		const isNext = last?.kind === kind && last.to === number - 1;
		if (isNext) this.findings[this.findings.length - 1] = { ...last, to: number };
		else if (this.findings.length < mostFindings) {
			this.findings.push({ kind, from: number, to: number });
		}
	}
}
