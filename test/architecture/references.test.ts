import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { projectRoot } from '../../scripts/docs/source-files';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: projectRoot })
	.toString()
	.split('\n')
	.filter((file) => /\.(ts|mjs|cjs|js|md)$/.test(file) && existsSync(join(projectRoot, file)));
const pages = files.filter((file) => file.endsWith('.md'));

const textOf = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');
const placesOf = (file: string, pattern: RegExp): string[] =>
	[...textOf(file).matchAll(pattern)].map(([, place = '']) => place);

/** As GitHub makes them. */
function anchorsOf(page: string): Set<string> {
	const titles = placesOf(page, /^#+ (.+)$/gm);
	return new Set(
		titles.map((title) =>
			title
				.toLowerCase()
				.replace(/[^\p{L}\p{N} _-]/gu, '')
				.replaceAll(' ', '-'),
		),
	);
}

/** What a page links to, and does not exist. */
function brokenLinksOf(page: string): string[] {
	const links = placesOf(page, /\]\(([^)\s]+)\)|src="([^"]+)"/g).filter(
		(link) => link !== '' && !/^[a-z]+:/.test(link),
	);
	return links.filter((link) => {
		const [place = '', anchor] = link.split('#');
		const target = place === '' ? page : normalize(join(dirname(page), place));
		if (!existsSync(join(projectRoot, target))) return true;
		return anchor !== undefined && !anchorsOf(target).has(anchor);
	});
}

describe('references', () => {
	it.each(pages.filter((page) => !page.startsWith('docs/protocol/')))(
		'of %s lead somewhere',
		(page) => expect(brokenLinksOf(page)).toEqual([]),
	);

	it('to pages and decisions lead somewhere', () => {
		const decisions = new Set(
			pages.flatMap((page) => /^docs\/adr\/(\d{4})-/.exec(page)?.[1] ?? []),
		);
		const lost = files.flatMap((file) => [
			...placesOf(file, /\b(docs\/[a-z/-]+\.md)\b/g).filter((page) => !pages.includes(page)),
			...placesOf(file, /\bdocs\/adr\/(\d{4})\b/g).filter((number) => !decisions.has(number)),
			...placesOf(file, /\bADR (\d+)\b/g).filter((n) => !decisions.has(n.padStart(4, '0'))),
		]);
		expect(lost).toEqual([]);
	});

	it('of the map to files and folders lead somewhere', () => {
		const named = placesOf(
			'docs/architecture.md',
			/`((?:core|nodes|scripts|sandbox|test)\/[\w./-]+)`/g,
		);
		expect(named.length).toBeGreaterThan(30);
		expect(named.filter((place) => !existsSync(join(projectRoot, place)))).toEqual([]);
	});

	it('are to decisions of this repository, not to a design that is not part of it', () => {
		const pattern = /\b(design, decisions? \d|design\.md)/gi;
		const own = 'test/architecture/references.test.ts';
		const named = files.filter((file) => file !== own && placesOf(file, pattern).length > 0);
		expect(named).toEqual([]);
	});
});
