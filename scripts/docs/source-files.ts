import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const projectRoot = join(__dirname, '..', '..');

/** TypeScript files below a folder, as paths from the project's root with forward slashes. */
export function sourceFiles(folder: string): string[] {
	let entries;
	try {
		entries = readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
		throw error;
	}
	return entries
		.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
		.map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)).split(sep).join('/'))
		.sort();
}
