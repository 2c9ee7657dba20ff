import type { Cancellable } from '../../../base/abort';
import { isGatewayError } from '../../../base/errors';
import { parseReferenceOfKind } from '../../../model/reference';
import { textMember } from '../../../model/content/members';
import type { JsonObject } from '../../../model/json';
import type { Backbone } from '../../../backbone/backbone';
import type { Store } from '../../../store/store';
import type { FileOwnership } from '../../file/file-ownership';
import type { StoredFile } from '../../file/file-records';
import type { FileService } from '../../file/file-service';

/*
 * Items about files need the Backbone, which nobody may call while the store waits. So what they need
 * is asked for before, and handed to their checks and effects.
 */

export interface FileFacts {
	/** undefined when it is not known, or cannot be loaded */
	readonly file: StoredFile | undefined;
	/** undefined when there was no reason to ask for it */
	readonly isTokenValid: boolean | undefined;
	/** what is ours after it was taken over */
	readonly owned?: StoredFile;
}

/** By {@link fileKey}. */
export type FilesInItems = ReadonlyMap<string, FileFacts>;

export interface FileAccess {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly files: FileService;
	readonly ownership: FileOwnership;
}

export function isAboutFile(item: JsonObject): boolean {
	return item['@type'] === 'TransferFileOwnershipRequestItem';
}

export function fileKey(item: JsonObject): string {
	return `${textMember(item, 'fileReference')} ${textMember(item, 'ownershipToken')}`;
}

/** For items that we want to send: whether the Backbone would take the tokens of our files. */
export async function factsForSending(
	items: readonly JsonObject[],
	access: FileAccess,
	options: Cancellable,
): Promise<FilesInItems> {
	return await collect(items, async (item) => {
		const { id } = parseReferenceOfKind(textMember(item, 'fileReference'), 'file');
		const file = await access.store.read((tx) => tx.files.get(id), options);
		const mayAsk = file?.record.isOwn === true;
		return { file, isTokenValid: await validity(item, id, mayAsk, access, options) };
	});
}

/**
 * For items that a peer wants us to accept. Only a token for a file of the peer itself is tried: a
 * wrong one locks the file.
 */
export async function factsForDeciding(
	items: readonly JsonObject[],
	peer: string,
	access: FileAccess,
	options: Cancellable,
): Promise<FilesInItems> {
	return await collect(items, async (item) => {
		const file = await loadFile(item, access, options);
		const mayAsk = file?.record.owner === peer;
		const id = file?.record.id ?? '';
		return { file, isTokenValid: await validity(item, id, mayAsk, access, options) };
	});
}

async function collect(
	items: readonly JsonObject[],
	look: (item: JsonObject) => Promise<FileFacts>,
): Promise<FilesInItems> {
	const found = new Map<string, FileFacts>();
	for (const item of items.filter(isAboutFile)) {
		const key = fileKey(item);
		if (!found.has(key)) found.set(key, await look(item));
	}
	return found;
}

/** As the Backbone has it now, because the owner may have changed; an own one as it is here. */
async function loadFile(
	item: JsonObject,
	{ store, files }: FileAccess,
	options: Cancellable,
): Promise<StoredFile | undefined> {
	const { id, key } = parseReferenceOfKind(textMember(item, 'fileReference'), 'file');
	const known = await store.read((tx) => tx.files.get(id), options);
	if (known?.record.isOwn === true) return known;
	try {
		return await files.fetch({ id, key }, options);
	} catch (error) {
		if (!isGatewayError(error) || error.kind === 'unavailable') throw error;
		return undefined;
	}
}

async function validity(
	item: JsonObject,
	fileId: string,
	mayAsk: boolean,
	{ backbone }: FileAccess,
	options: Cancellable,
): Promise<boolean | undefined> {
	const token = item['ownershipToken'];
	if (typeof token !== 'string' || !mayAsk) return undefined;
	return await backbone.files.validateOwnershipToken(fileId, token, options);
}

/**
 * Makes the file ours: with its token it changes hands and keeps its id, without one its content is
 * uploaded again (docs/protocol/consumption.md 6.9). One that is ours already was taken over before.
 */
export async function takeOver(
	item: JsonObject,
	{ file }: FileFacts,
	{ store, files, ownership }: FileAccess,
	options: Cancellable,
): Promise<StoredFile | undefined> {
	if (file === undefined || file.record.isOwn) return file;
	const { record, secrets } = file;
	const { id } = await files.getOrLoad({ id: record.id, key: secrets.secretKey }, options);
	const token = item['ownershipToken'];
	if (typeof token === 'string') {
		const claimed = await ownership.claim(id, token, options);
		return await store.read((tx) => tx.files.get(claimed.id), options);
	}
	const { content } = await files.download(id, options);
	const { title, description, filename, mimetype, tags } = record;
	const copy = await files.upload(
		{
			filename,
			mimetype,
			...(title === undefined ? {} : { title }),
			...(description === undefined ? {} : { description }),
			...(tags === undefined ? {} : { tags }),
		},
		content,
		options,
	);
	return await store.read((tx) => tx.files.get(copy.id), options);
}
