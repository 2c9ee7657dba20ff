import { parse } from '../base/schema-parse';
import { correlated, uncorrelated } from '../base/observation/correlation';
import { isGatewayError } from '../base/errors';
import { consumerRecordSchema } from '../model/record/event';
import type { CollectionName } from '../store/collections/collections';
import type { Collection, Store, WriteTransaction } from '../store/store';
import { counterSchema, outboxEventSchema, type ContentRow, type Section } from './account-content';
import { transferErrors } from './transfer-errors';
import { isKeyOf, memberOf } from '../base/members';

const rowsPerCommit = 500;
const charactersPerCommit = 4 * 1024 * 1024;
/** name of the counter for the sequence numbers of the outbox */
const outboxCounter = 'outbox';

/**
 * Writes rows in batches into an account in state `arriving`. Every row is validated with the
 * schemas of the gateway; secrets are sealed with the key of the new place.
 *
 * @throws `error.gateway.moving.contentInvalid`
 */
export async function writeContent(store: Store, rows: AsyncIterable<ContentRow>): Promise<void> {
	const counterNames = new Set<string>();
	let batch: ContentRow[] = [];
	let characters = 0;
	const commit = async (): Promise<void> => {
		await store.transact(async (tx) => {
			for (const row of batch) {
				if (row.section === 'counters') requireNew(row, counterNames);
				await write(tx, row);
			}
		});
		batch = [];
		characters = 0;
	};
	for await (const row of rows) {
		batch.push(row);
		characters += JSON.stringify(row).length;
		if (batch.length >= rowsPerCommit || characters >= charactersPerCommit) await commit();
	}
	await commit();
}

/**
 * Refuses a second row of one counter: it would only raise the counter, and the copy would differ
 * unnoticed.
 */
function requireNew(row: ContentRow, counterNames: Set<string>): void {
	const name = String(row.record['name']);
	if (counterNames.has(name)) throw invalid(row, 'comes twice');
	counterNames.add(name);
}

async function write(tx: WriteTransaction, row: ContentRow): Promise<void> {
	try {
		const { section, record } = row;
		await (isKeyOf(writers, section) ? writers[section](tx, record) : insert(tx, section, row));
	} catch (cause) {
		// Schemas throw these errors; errors of the database are passed on unchanged.
		const isRefused = cause instanceof TypeError || memberOf(cause, 'name') === 'ZodError';
		if (isGatewayError(cause) || !isRefused) throw cause;
		throw invalid(row, 'does not fit its schema', cause);
	}
}

type Writer = (tx: WriteTransaction, record: object) => Promise<void>;

const writers: Readonly<Record<Exclude<Section, CollectionName>, Writer>> = {
	outbox: async (tx, record) => {
		const { sequence, correlationId, ...event } = parse(outboxEventSchema, record);
		const last = await tx.outbox.lastSequence();
		if (sequence <= last) throw new TypeError('does not follow the order of the events');
		// An original without gaps has no counter of its own, so the copy must not get one either.
		if (sequence > last + 1) await tx.outbox.passTo(sequence - 1);
		const append = () => tx.outbox.append(event);
		// Keeps what the event has instead of the correlation id of the copying call.
		await (correlationId === undefined ? uncorrelated(append) : correlated(correlationId, append));
	},
	consumers: (tx, record) => tx.consumers.put(parse(consumerRecordSchema, record)),
	counters: async (tx, record) => {
		const { name, next } = parse(counterSchema, record);
		if (name === outboxCounter) await tx.outbox.passTo(next);
		else await tx.counters.raise(name, next);
	},
};

async function insert(
	tx: WriteTransaction,
	section: CollectionName,
	row: ContentRow,
): Promise<void> {
	const collection: Collection<ContentRow['record'], unknown, string> = tx[section];
	if (typeof row.record['id'] !== 'string') throw new TypeError('a record has no id');
	if (await collection.insertIfNew(row.record, row.secrets)) return;
	throw invalid(row, 'comes twice');
}

function invalid({ section, record }: ContentRow, problem: string, cause?: unknown): Error {
	const id = typeof record['id'] === 'string' ? record['id'].slice(0, 100) : '';
	return transferErrors.create('contentInvalid', {
		message: `A record of '${section}' ${problem}.`,
		facts: { section, id },
		cause,
	});
}
