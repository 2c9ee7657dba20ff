import * as z from 'zod';
import { throwIfAborted, type Cancellable } from '../base/abort';
import { keysOf } from '../base/members';
import { collections } from '../store/collections/collections';
import type { ReadTransaction, ReadCollection } from '../store/store';

/** All collections of an account, in the order of copying; leases are excluded. */
export const collectionNames = keysOf(collections);
export const sections = [...collectionNames, 'outbox', 'consumers', 'counters'] as const;
export type Section = (typeof sections)[number];

export const outboxEventSchema = z.strictObject({
	sequence: z.number().int().min(1),
	name: z.string(),
	createdAt: z.string(),
	peer: z.string().optional(),
	subject: z.string().optional(),
	correlationId: z.string().optional(),
	data: z.record(z.string(), z.json()),
});

export const counterSchema = z.strictObject({
	name: z.string().min(1),
	/** next value, which equals the number of values handed out */
	next: z.number().int().min(1),
});

/** Row of any section; its content is validated when it is written. */
export const contentRowSchema = z.strictObject({
	section: z.enum(sections),
	record: z.looseObject({}),
	secrets: z.unknown().optional(),
});
export type ContentRow = z.infer<typeof contentRowSchema>;

const pageSize = 200;

/** Reads a whole account inside one transaction, a page at a time. */
export async function* readContent(
	tx: ReadTransaction,
	options: Cancellable = {},
): AsyncGenerator<ContentRow> {
	for (const section of collectionNames) {
		const collection: ReadCollection<ContentRow['record'], unknown, string> = tx[section];
		for (let position = 0; ;) {
			throwIfAborted(options);
			const page = await collection.scan(position, pageSize);
			if (page.entries.length === 0) break;
			for (const { record, secrets } of page.entries) {
				yield { section, record, ...(secrets === undefined ? {} : { secrets }) };
			}
			position = page.position;
		}
	}
	for (let position = 0; ;) {
		throwIfAborted(options);
		const events = await tx.outbox.readAfter(position, pageSize);
		if (events.length === 0) break;
		for (const record of events) yield { section: 'outbox', record: { ...record } };
		position = events.at(-1)?.sequence ?? position;
	}
	for (const record of await tx.consumers.list()) {
		yield { section: 'consumers', record: { ...record } };
	}
	for (const record of await tx.counters.list()) {
		yield { section: 'counters', record: { ...record } };
	}
}
