import type { FileDto, GatewayFacade } from '../../../core';
import { isUsable, listSearch, matching, searchDepth, type Search } from './search-kit';

/** Searches own and peers' files by title or name. */
export const searchFiles: Search = listSearch(async (gateway, { filter, operation }) => {
	const files = await usableFiles(gateway, operation);
	const entries = files.map((file) => ({ name: fileLabel(file), value: file.id }));
	return { results: matching(entries, filter) };
});

/** Searches files by title or name; the value is the reference. */
export const searchFileReferences: Search = listSearch(async (gateway, { filter, operation }) => {
	const files = await usableFiles(gateway, operation);
	const entries = files.map((file) => ({
		name: fileLabel(file),
		value: file.truncatedReference,
		details: file.id,
	}));
	return { results: matching(entries, filter) };
});

async function usableFiles(gateway: GatewayFacade, operation: string): Promise<FileDto[]> {
	const files = await gateway.files.list({
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: searchDepth,
	});
	return files.filter(({ expiresAt }) => isUsable(operation, expiresAt));
}

function fileLabel({ title, filename, isOwn }: FileDto): string {
	return `${title === '' ? filename : `${title} (${filename})`}${isOwn ? '' : ', of a peer'}`;
}
