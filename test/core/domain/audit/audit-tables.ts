import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../../core/base/clock';
import { systemRandom } from '../../../../core/base/random';
import { AuditService } from '../../../../core/domain/audit/audit-service';
import type { NewAuditEntry } from '../../../../core/model/record/http/audit';
import type { Store } from '../../../../core/store/store';
import { openMemoryStore } from '../../../support/store';

/* An audit in memory, and its tables. */

export const call: NewAuditEntry = {
	account: 'default',
	actor: { kind: 'key', id: 'KEY00000000000000001', name: 'crm' },
	method: 'POST',
	route: '/Messages',
	object: 'MSG00000000000000001',
	status: 201,
};

export interface Opened {
	readonly database: DatabaseSync;
	readonly store: Store;
	readonly audit: AuditService;
}

/** The audit as a process sees it that has just started. */
export function newAudit(store: Store, clock = systemClock): AuditService {
	return new AuditService({ store, clock, random: systemRandom });
}

export async function openWith(rows: number, clock = systemClock): Promise<Opened> {
	const database = new DatabaseSync(':memory:');
	const store = await openMemoryStore(clock, database, false);
	const audit = newAudit(store, clock);
	for (let row = 1; row <= rows; row++) await audit.record({ ...call, correlationId: `c${row}` });
	return { database, store, audit };
}

/** The tables as an intruder sees them, who can write and does not have the key of the store. */
export class Tables {
	constructor(private readonly database: DatabaseSync) {}

	document(number: number): string {
		const row = this.database
			.prepare(
				'select document from audit_entries_documents join audit_entries using (ordinal) where id = ?',
			)
			.get(String(number));
		return String(row?.document);
	}

	write(number: number, document: string): void {
		this.database
			.prepare(
				'update audit_entries_documents set document = ? where ordinal = (select ordinal from audit_entries where id = ?)',
			)
			.run(document, String(number));
	}

	remove(number: number): void {
		this.database.prepare('delete from audit_entries where id = ?').run(String(number));
	}

	rename(number: number, id: string): void {
		this.database.prepare('update audit_entries set id = ? where id = ?').run(id, String(number));
	}

	add(id: string, document: string): void {
		const { lastInsertRowid } = this.database
			.prepare('insert into audit_entries (id) values (?)')
			.run(id);
		this.database
			.prepare('insert into audit_entries_documents (ordinal, document) values (?, ?)')
			.run(lastInsertRowid, document);
	}

	get sealed(): string {
		return String(
			this.database.prepare('select secrets from audit_chain_documents').get()?.secrets,
		);
	}

	seal(text: string): void {
		this.database.prepare('update audit_chain_documents set secrets = ?').run(text);
	}

	removeSealed(): void {
		this.database.prepare('delete from audit_chain').run();
	}
}

const tableNames = [
	'audit_entries',
	'audit_entries_documents',
	'audit_chain',
	'audit_chain_documents',
];

type Snapshot = ReadonlyArray<readonly [string, ReadonlyArray<Record<string, unknown>>]>;

export function snapshotOf(database: DatabaseSync): Snapshot {
	return tableNames.map((name) => [name, database.prepare(`select * from ${name}`).all()]);
}

export function restore(database: DatabaseSync, snapshot: Snapshot): void {
	for (const name of [...tableNames].reverse()) database.exec(`delete from ${name}`);
	for (const [name, stored] of snapshot) {
		for (const row of stored) {
			const columns = Object.keys(row);
			const slots = columns.map(() => '?').join(', ');
			database
				.prepare(`insert into ${name} (${columns.join(', ')}) values (${slots})`)
				.run(...(Object.values(row) as string[]));
		}
	}
}
