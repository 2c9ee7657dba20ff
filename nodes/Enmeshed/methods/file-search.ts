import type { FileDto } from '../../../core';
import { listSearch, matching, searchDepth, type Search } from './search-kit';

/** Searches own and peers' files by title or name. */
export const searchFiles: Search = listSearch(async (gateway, { filter }) => {
	const files = await gateway.files.list({
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: searchDepth,
	});
	const entries = files.map((file) => ({ name: fileLabel(file), value: file.id }));
	return { results: matching(entries, filter) };
});

/** Searches files by title or name; the value is the reference. */
export const searchFileReferences: Search = listSearch(async (gateway, { filter }) => {
	const files = await gateway.files.list({
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: searchDepth,
	});
	const entries = files.map((file) => ({
		name: fileLabel(file),
		value: file.truncatedReference,
		details: file.id,
	}));
	return { results: matching(entries, filter) };
});

function fileLabel({ title, filename, isOwn }: FileDto): string {
	return `${title === '' ? filename : `${title} (${filename})`}${isOwn ? '' : ', of a peer'}`;
}
