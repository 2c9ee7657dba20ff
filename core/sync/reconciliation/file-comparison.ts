import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { codeOf, isGatewayError } from '../../base/errors';
import type { Backbone } from '../../backbone/backbone';
import { isOddAnswer } from '../../backbone/odd-answer';
import type { WireFile } from '../../backbone/dto';
import type { FileRecord } from '../../model/record/file';
import type { InboxEvent } from '../../model/record/sync';
import type { Store } from '../../store/store';
import { foundEvent, type Compared } from './found-events';

/** as many as the Backbone answers with one page */
const groupSize = 50;

/**
 * Finds own files that were locked, or that belong to others by now. The list shows what we have
 * created (6) or own (7); files that it leaves out are asked for one by one.
 */
export async function compareFiles(
	deps: { readonly store: Store; readonly backbone: Backbone; readonly clock: Clock },
	position: number,
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
	const found: InboxEvent[] = [];
	for (const file of own) {
		const wire = listed.get(file.id) ?? (await lookUp(backbone, file.id, options));
		if (wire !== undefined) found.push(...changeOf(file, wire, now));
	}
	const isEnd = group.entries.length < groupSize;
	return { compared: own.length, found, ...(isEnd ? {} : { next: group.position }) };
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
