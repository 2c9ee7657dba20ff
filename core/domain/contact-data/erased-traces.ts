import type { Cancellable } from '../../base/abort';
import { deletedIdentityPseudonyms, partsOfAddress } from '../../model/address';
import type { Collection, Store, WriteTransaction } from '../../store/store';
import type { ErasureProgress } from './erasure-progress';

/*
 * What a decomposition leaves about a person: files, objects for the person alone, attributes that
 * were forwarded, events, and mentions in what belongs to other people.
 */

/** records that one transaction looks at */
const rowsAtOnce = 500;

interface Leftovers {
	readonly kind: string;
	ids(tx: WriteTransaction, peer: string): Promise<string[]>;
	remove(tx: WriteTransaction, id: string): Promise<void>;
}

/** Records that are found by a field that names the person; at most one page at once. */
function leftIn<Record extends { readonly id: string }, Secrets, Field extends string>(
	kind: string,
	field: Field,
	collection: (tx: WriteTransaction) => Collection<Record, Secrets, Field>,
): Leftovers {
	return {
		kind,
		ids: async (tx, peer) => {
			const where = [{ field, op: 'eq', value: peer } as const];
			const entries = await collection(tx).list({ where, limit: rowsAtOnce });
			return entries.map(({ record }) => record.id);
		},
		remove: (tx, id) => collection(tx).delete(id),
	};
}

/** Records that are about the person alone. */
const leftovers: readonly Leftovers[] = [
	leftIn('files', 'createdBy', (tx) => tx.files),
	leftIn('files', 'owner', (tx) => tx.files),
	leftIn('tokens', 'createdBy', (tx) => tx.tokens),
	leftIn('tokens', 'forIdentity', (tx) => tx.tokens),
	leftIn('templates', 'createdBy', (tx) => tx.templates),
	leftIn('templates', 'forIdentity', (tx) => tx.templates),
	leftIn('attributes', 'peer', (tx) => tx.attributes),
	leftIn('attributes', 'thirdPartyAddress', (tx) => tx.attributes),
	leftIn('attributeListeners', 'peer', (tx) => tx.attributeListeners),
	leftIn('requests', 'peer', (tx) => tx.requests),
	leftIn('messages', 'createdBy', (tx) => tx.messages),
	leftIn('notifications', 'peer', (tx) => tx.localNotifications),
	leftIn('metadata', 'reference', (tx) => tx.identityMetadata),
	leftIn('settings', 'reference', (tx) => tx.settings),
];

/** Deletes the records that are about the person alone, with their events and their work. */
export async function removeLeftovers(
	progress: ErasureProgress,
	peer: string,
	options: Cancellable,
): Promise<void> {
	for (const { kind, ids, remove } of leftovers) {
		const work = async (tx: WriteTransaction) => {
			const found = await ids(tx, peer);
			for (const id of found) {
				await remove(tx, id);
				await tx.work.delete(id);
				await tx.outbox.erase(id);
			}
			return { count: found.length };
		};
		let removed: number;
		do removed = (await progress.step('erased', kind, work, options)).count;
		while (removed === rowsAtOnce);
	}
}

/** Counts the events that name the person. */
export async function countEvents(
	store: Store,
	peer: string,
	options: Cancellable,
): Promise<number> {
	let count = 0;
	let position: number | undefined = 0;
	while (position !== undefined) {
		const after: number = position;
		const events = await store.read((tx) => tx.outbox.readAfter(after, rowsAtOnce), options);
		count += events.filter((event) => isNamed(event, peer)).length;
		position = events.length < rowsAtOnce ? undefined : events.at(-1)?.sequence;
	}
	return count;
}

/** Empties the events that still name the person. */
export async function emptyEvents(store: Store, peer: string, options: Cancellable): Promise<void> {
	let position: number | undefined = 0;
	while (position !== undefined) {
		const after: number = position;
		position = await store.transact(async (tx) => {
			const events = await tx.outbox.readAfter(after, rowsAtOnce);
			const about = events.filter((event) => isNamed(event, peer));
			for (const subject of new Set(about.map((event) => event.subject))) {
				if (subject !== undefined) await tx.outbox.erase(subject);
			}
			return events.length < rowsAtOnce ? undefined : events.at(-1)?.sequence;
		}, options);
	}
}

const isNamed = (record: object, peer: string): boolean => JSON.stringify(record).includes(peer);

interface Scanned<Record> {
	scan(
		after: number,
		limit: number,
	): Promise<{
		readonly entries: ReadonlyArray<{ readonly record: Record }>;
		readonly position: number;
	}>;
	update(record: Record): Promise<void>;
}

/** Collections with records of other people, or of this account, that may mention the person. */
const mentioning: ReadonlyArray<readonly [string, (tx: WriteTransaction) => ReplacesMentions]> = [
	['relationships', (tx) => replacing(tx.relationships)],
	['relationships', (tx) => replacing(tx.relationshipIntents)],
	['templates', (tx) => replacing(tx.templates)],
	['messages', (tx) => replacing(tx.messages)],
	['unsentMessages', (tx) => replacing(tx.sendIntents)],
	['requests', (tx) => replacing(tx.requests)],
	['attributes', (tx) => replacing(tx.attributes)],
	['attributeListeners', (tx) => replacing(tx.attributeListeners)],
	['notifications', (tx) => replacing(tx.localNotifications)],
	['files', (tx) => replacing(tx.files)],
	['metadata', (tx) => replacing(tx.identityMetadata)],
	['settings', (tx) => replacing(tx.settings)],
	['drafts', (tx) => replacing(tx.drafts)],
	['waits', (tx) => replacing(tx.waits)],
	['webhooks', (tx) => replacing(tx.webhooks)],
	['unfinishedWork', (tx) => replacing(tx.work)],
	['receivedEvents', (tx) => replacing(tx.inbox)],
];

type ReplacesMentions = (
	after: number,
	peer: string,
) => Promise<{ readonly count: number; readonly position: number | undefined }>;

function replacing<Record extends object>(collection: Scanned<Record>): ReplacesMentions {
	return async (after, peer) => {
		const { entries, position } = await collection.scan(after, rowsAtOnce);
		const naming = entries.filter(({ record }) => isNamed(record, peer));
		for (const { record } of naming) await collection.update(withoutMention(record, peer));
		return {
			count: naming.length,
			position: entries.length < rowsAtOnce ? undefined : position,
		};
	};
}

/** Puts the pseudonym of deleted identities in place of the address. */
function withoutMention<Record extends object>(record: Record, peer: string): Record {
	const hostname = partsOfAddress(peer)?.hostname ?? '';
	const text = JSON.stringify(record).replaceAll(peer, deletedIdentityPseudonyms(hostname).client);
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only texts were replaced, by other texts
	return JSON.parse(text) as Record;
}

/** Replaces the address of the person wherever it stands. */
export async function replaceMentions(
	progress: ErasureProgress,
	peer: string,
	options: Cancellable,
): Promise<void> {
	for (const [kind, replacingIn] of mentioning) {
		let position: number | undefined = 0;
		while (position !== undefined) {
			const after: number = position;
			const work = (tx: WriteTransaction) => replacingIn(tx)(after, peer);
			({ position } = await progress.step('mentions', kind, work, options));
		}
	}
}

/** Replaces the address in what consumers have noted about events that they did not take. */
export async function replaceInConsumers(
	progress: ErasureProgress,
	peer: string,
	options: Cancellable,
): Promise<void> {
	const work = async (tx: WriteTransaction) => {
		const naming = (await tx.consumers.list()).filter((consumer) => isNamed(consumer, peer));
		for (const consumer of naming) await tx.consumers.put(withoutMention(consumer, peer));
		return { count: naming.length };
	};
	await progress.step('mentions', 'consumers', work, options);
}
