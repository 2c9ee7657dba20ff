import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildInfo } from '../../core/server';

/** Build information beside the program; undefined for a program that was built in another way. */
export async function readBuildInfo(folder = __dirname): Promise<BuildInfo | undefined> {
	try {
		const text = await readFile(join(folder, 'build-info.json'), 'utf8');
		return JSON.parse(text) as BuildInfo;
	} catch (error) {
		if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
		throw error;
	}
}
