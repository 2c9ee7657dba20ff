import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { codeOf, isGatewayError } from '../../base/errors';
import type { Backbone } from '../../backbone/port/backbone';
import { isOddAnswer } from '../../backbone/port/odd-answer';
import type { WireFile } from '../../backbone/dto';
import type { FileRecord } from '../../model/record/file';
import type { InboxEvent } from '../../model/record/sync';
import type { Store } from '../../store/store';
import { foundEvent, type Compared, type SingleLooks } from './found-events';
import type { Needs } from '../../domain/needs';

/** files per group, equal to the page size of the Backbone */
const groupSize = 50;

export type FileComparisonDependencies = Needs<'store' | 'backbone' | 'clock'>;

/**
 * Finds own files that were locked or now belong to other identities. The list shows files that
 * this account created (6) or owns (7); each file missing from it needs a call of its own.
 */
export async function compareFiles(
	deps: FileComparisonDependencies,
	position: number,
	looks: SingleLooks,
	options: Cancellable,
): Promise<Compared> {
	const { store, backbone, clock } = deps;
	const group = await store.read((tx) => tx.files.scan(position, groupSize), options);
	const now = isoInstant(clock.now());
	const own = group.entries
		.map(({ record }) => record)
		.filter((file) => file.isOwn && file.deletedAt === undefined && file.expiresAt > now);
	const ids = own.map(({ id }) => id);
	const listed = new Map((await backbone.files.list(ids, options)).map((file) => [file.id, file]));
	const unlisted = ids.filter((id) => !listed.has(id));
	const isEnd = group.entries.length < groupSize;
	const range = { position, isEnd };
	const { asked, askedTo } = looks.isAll
		? { asked: unlisted, askedTo: undefined }
		: await nextInTurn(store, unlisted, range, looks.askedTo, options);
	const found: InboxEvent[] = [];
	for (const file of own) {
		const isAsked = asked.includes(file.id);
		const wire = isAsked ? await lookUp(backbone, file.id, options) : listed.get(file.id);
		if (wire !== undefined) found.push(...changeOf(file, wire, now));
	}
	return {
		compared: own.length - unlisted.length + asked.length,
		found,
		...(isEnd ? {} : { next: group.position }),
		...(askedTo === undefined ? {} : { askedTo }),
	};
}

/**
 * Selects the first unlisted file after the one requested last; `askedTo` is 0 at the end, where
 * the next turn begins at the start.
 */
async function nextInTurn(
	store: Store,
	unlisted: readonly string[],
	range: { readonly position: number; readonly isEnd: boolean },
	askedTo: number | undefined,
	options: Cancellable,
): Promise<{ readonly asked: readonly string[]; readonly askedTo: number | undefined }> {
	if (askedTo === undefined) return { asked: [], askedTo: undefined };
	const { position, isEnd } = range;
	const start = Math.max(position, askedTo);
	return await store.read(async (tx) => {
		const { entries } = await tx.files.scan(start, groupSize);
		const index = entries.findIndex(({ record }) => unlisted.includes(record.id));
		const id = entries[index]?.record.id;
		if (id === undefined) return { asked: [], askedTo: isEnd ? 0 : undefined };
		const isLast = isEnd && unlisted.at(-1) === id;
		const reached = isLast ? 0 : (await tx.files.scan(start, index + 1)).position;
		return { asked: [id], askedTo: reached };
	}, options);
}

async function lookUp(
	backbone: Backbone,
	id: string,
	options: Cancellable,
): Promise<WireFile | undefined> {
	try {
		return await backbone.files.metadata(id, options);
	} catch (error) {
		const isGone = codeOf(error) === 'error.runtime.recordNotFound';
		if (isGone || (isGatewayError(error) && isOddAnswer(error))) return undefined;
		throw error;
	}
}

function changeOf({ id, owner, ownershipIsLocked }: FileRecord, wire: WireFile, now: string) {
	if (wire.owner !== owner) {
		const payload = { fileId: id, newOwnerAddress: wire.owner };
		return [foundEvent('FileOwnershipClaimed', payload, `${id}:${wire.owner}:${now}`, now)];
	}
	if (wire.ownershipIsLocked !== true || ownershipIsLocked === true) return [];
	return [foundEvent('FileOwnershipLocked', { fileId: id }, `${id}:locked:${now}`, now)];
}
