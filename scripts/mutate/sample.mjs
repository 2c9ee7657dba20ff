/** Blocks of lines, drawn at random: a folder of thousands of changes takes hours, a sample of it minutes. */
import { readdirSync, readFileSync, statSync } from 'node:fs';

import { projectPath } from '../lib/paths.mjs';

const blockLines = 6;

/**
 * Ranges of the sources at the given paths, as StrykerJS takes them, with that many lines in all. Each line is as
 * likely as any other; the same seed draws the same ranges.
 */
export function sampleOf(paths, lines, seed) {
	const blocks = paths.flatMap(sourcesAt).flatMap(blocksOf);
	const random = randomOf(seed);
	const drawn = blocks.map((block) => ({ block, place: random() }));
	drawn.sort((a, b) => a.place - b.place);
	return drawn.slice(0, Math.ceil(lines / blockLines)).map(({ block }) => block);
}

function sourcesAt(path) {
	if (!statSync(projectPath(path)).isDirectory()) return [path];
	return readdirSync(projectPath(path), { recursive: true })
		.map((name) => `${path}/${name}`)
		.filter((file) => /(?<!\.d)\.ts$/.test(file))
		.sort();
}

function blocksOf(file) {
	const count = readFileSync(projectPath(file), 'utf8').split('\n').length;
	return Array.from({ length: Math.ceil(count / blockLines) }, (_, index) => {
		const first = index * blockLines + 1;
		return `${file}:${first}-${Math.min(count, first + blockLines - 1)}`;
	});
}

/** Park and Miller's generator. */
function randomOf(seed) {
	let state = (seed % 2_147_483_646) + 1;
	return () => (state = (state * 48_271) % 2_147_483_647);
}
