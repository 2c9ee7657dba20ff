import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * The font of letters: Roboto (Apache-2.0), with Latin, Greek and Cyrillic letters. The build puts
 * the files into the module.
 */

const folder = join(dirname(require.resolve('roboto-fontface/package.json')), 'fonts', 'roboto');

export const regularFont: Uint8Array = readFileSync(join(folder, 'Roboto-Regular.woff'));
export const boldFont: Uint8Array = readFileSync(join(folder, 'Roboto-Bold.woff'));
