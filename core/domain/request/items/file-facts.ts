import type { Cancellable } from '../../../base/abort';
import { isGatewayError } from '../../../base/errors';
import { parseReferenceOfKind } from '../../../model/reference';
import type { RequestItem, RequestItemOf } from '../../../model/content/requests/request-items';
import type { FileOwnership } from '../../file/file-ownership';
import type { StoredFile } from '../../file/file-records';
import type { FileService } from '../../file/file-service';
import type { Needs } from '../../needs';

/*
 * Items about files need the Backbone, which must not be called during a transaction of the store.
 * So their facts are requested before and passed to their checks and effects.
 */

export interface FileFacts {
	/** undefined for a file that is unknown or cannot be loaded */
	readonly file: StoredFile | undefined;
	/** undefined when there was no reason to ask the Backbone */
	readonly isTokenValid: boolean | undefined;
	/** file of this account after the takeover */
	readonly owned?: StoredFile;
}

/** Facts about files by {@link fileKey}. */
export type FilesInItems = ReadonlyMap<string, FileFacts>;

export interface FileAccess extends Needs<'store' | 'backbone'> {
	readonly files: FileService;
	readonly ownership: FileOwnership;
}

export type FileItem = RequestItemOf<'TransferFileOwnershipRequestItem'>;

export function isAboutFile(item: RequestItem): item is FileItem {
	return item['@type'] === 'TransferFileOwnershipRequestItem';
}

export function fileKey({ fileReference, ownershipToken = '' }: FileItem): string {
	return `${fileReference} ${ownershipToken}`;
}

/**
 * Collects facts for items that this account wants to send, including whether the Backbone would
 * accept the tokens of its files.
 */
export async function factsForSending(
	items: readonly RequestItem[],
	access: FileAccess,
	options: Cancellable,
): Promise<FilesInItems> {
	return await collect(items, async (item) => {
		const { id } = parseReferenceOfKind(item.fileReference, 'file');
		const file = await access.store.read((tx) => tx.files.get(id), options);
		const mayAsk = file?.record.isOwn === true;
		return { file, isTokenValid: await validity(item, id, mayAsk, access, options) };
	});
}

/**
 * Collects facts for items that a peer wants this account to accept. Only a token for a file of the
 * peer itself is tried, because a wrong token locks the file.
 */
export async function factsForDeciding(
	items: readonly RequestItem[],
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
	items: readonly RequestItem[],
	look: (item: FileItem) => Promise<FileFacts>,
): Promise<FilesInItems> {
	const found = new Map<string, FileFacts>();
	for (const item of items.filter(isAboutFile)) {
		const key = fileKey(item);
		if (!found.has(key)) found.set(key, await look(item));
	}
	return found;
}

/**
 * Loads the current state of a file from the Backbone, because the owner may have changed; a file
 * of this account is read from the store.
 */
async function loadFile(
	item: FileItem,
	{ store, files }: FileAccess,
	options: Cancellable,
): Promise<StoredFile | undefined> {
	const { id, key } = parseReferenceOfKind(item.fileReference, 'file');
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
	item: FileItem,
	fileId: string,
	mayAsk: boolean,
	{ backbone }: FileAccess,
	options: Cancellable,
): Promise<boolean | undefined> {
	const { ownershipToken: token } = item;
	if (token === undefined || !mayAsk) return undefined;
	return await backbone.files.validateOwnershipToken(fileId, token, options);
}

/**
 * Makes this account the owner of the file: with a token the file changes hands and keeps its id,
 * without a token its content is uploaded again (docs/protocol/consumption.md 6.9). A file of this
 * account was taken over before.
 */
export async function takeOver(
	item: FileItem,
	{ file }: FileFacts,
	{ store, files, ownership }: FileAccess,
	options: Cancellable,
): Promise<StoredFile | undefined> {
	if (file === undefined || file.record.isOwn) return file;
	const { record, secrets } = file;
	const { id } = await files.getOrLoad({ id: record.id, key: secrets.secretKey }, options);
	const { ownershipToken: token } = item;
	if (token !== undefined) {
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
