import { join } from 'node:path';
import type { Arena } from './arena';
import { median } from './support/statistics';

/** Bytes of the largest plaintext whose cipher the Backbone accepts. */
const size = 7_864_242;

/** Number of measurements, because a single process may collect its garbage late. */
const measurements = 3;

/** Additional resident memory, as a multiple of the file's size. */
export interface LargestFile {
	readonly size: number;
	readonly upload: number;
	readonly download: number;
}

/**
 * Uploads the largest file in one process and downloads it in another; returns the medians of
 * several pairs.
 */
export async function measureLargestFile(arena: Arena): Promise<LargestFile> {
	const uploads: number[] = [];
	const downloads: number[] = [];
	for (let measured = 0; measured < measurements; measured++) {
		const { upload, download } = await measureOnce(arena);
		uploads.push(upload);
		downloads.push(download);
	}
	return { size, upload: median(uploads), download: median(downloads) };
}

async function measureOnce(arena: Arena): Promise<Omit<LargestFile, 'size'>> {
	const folder = arena.newFolder();
	const config = { baseUrl: arena.baseUrl, folder };
	const up = arena.start('largest-file');
	await up.call('open', config);
	const path = join(folder, 'largest.bin');
	const { id, bytes } = await up.call<{ id: string; bytes: number }>('upload', { path, size });
	await up.call('close');
	await up.stop();
	const down = arena.start('largest-file');
	await down.call('open', config);
	const downBytes = await down.call<number>('download', { id, size });
	await down.call('close');
	await down.stop();
	return { upload: bytes / size, download: downBytes / size };
}
