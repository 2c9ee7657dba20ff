import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestNetwork } from '../../../support/gateways';

/** Folder with files of a page, which a build makes otherwise. */
export function pageFolder(network: TestNetwork): string {
	const folder = join(network.newFolder(), 'page');
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Page</title>');
	writeFileSync(join(folder, 'page.js'), 'void 0;');
	writeFileSync(join(folder, 'page.css'), 'html {}');
	return folder;
}
