import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cacheFolder } from '../n8n/host-folder.cjs';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

export const projectPath = (...parts) => join(projectRoot, ...parts);

/** Folder ignored by git: state of `npm start`, test results, packed tarballs. */
export const scratchPath = (...parts) => projectPath('.tmp', ...parts);

/** Path in the folder for large files that several checkouts share. */
export const cachePath = (...parts) => join(cacheFolder(), ...parts);
