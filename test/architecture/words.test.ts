import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { projectRoot } from '../../scripts/docs/source-files';

/** Folders and files with sources. */
const sources = [
	'bench',
	'core',
	'credentials',
	'gulpfile.js',
	'index.ts',
	'nodes',
	'sandbox',
	'scripts',
];

const vagueWords = [
	...['nobody', 'somebody', 'anybody', 'whoever', 'one that', 'ones that', 'of ours', 'of theirs'],
	...['those of before', 'in vain', 'for ever'],
];
const vague = new RegExp(
	String.raw`\b(?:${vagueWords.join('|').replaceAll(' ', String.raw`[\s*/]+`)})\b`,
	'gi',
);

interface Range {
	readonly pos: number;
	readonly end: number;
}

/** Comments in order; consecutive lines of `//` count as one, so that phrases may span them. */
function commentsOf(source: ts.SourceFile): Range[] {
	const { text } = source;
	const found = new Map<number, Range>();
	const visit = (node: ts.Node): void => {
		const children = node.getChildren(source);
		if (children.length === 0) {
			const around = [
				...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
				...(ts.getTrailingCommentRanges(text, node.end) ?? []),
			];
			for (const comment of around) found.set(comment.pos, comment);
		}
		for (const child of children) visit(child);
	};
	visit(source);
	const comments: Range[] = [];
	for (const { pos, end } of [...found.values()].sort((a, b) => a.pos - b.pos)) {
		const last = comments.at(-1);
		const isContinued = last !== undefined && /^\s*$/.test(text.slice(last.end, pos));
		if (isContinued) comments.splice(-1, 1, { pos: last.pos, end });
		else comments.push({ pos, end });
	}
	return comments;
}

function vagueWordsIn(file: string, text: string): string[] {
	// Parsing takes long, and hardly any file has these words at all.
	if (text.search(vague) < 0) return [];
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
	return commentsOf(source).flatMap(({ pos, end }) =>
		[...text.slice(pos, end).matchAll(vague)].map((match) => {
			const { line } = source.getLineAndCharacterOfPosition(pos + match.index);
			return `${file}:${line + 1} ${match[0].replaceAll(/[\s*/]+/g, ' ')}`;
		}),
	);
}

function sourcesIn(folder: string): string[] {
	return execFileSync('git', ['ls-files', '-co', '--exclude-standard', folder], {
		cwd: projectRoot,
		encoding: 'utf8',
	})
		.split('\n')
		.filter(
			(file) => /\.(ts|mts|cts|mjs|cjs|js)$/.test(file) && existsSync(join(projectRoot, file)),
		);
}

describe('words of comments', () => {
	it.each(sources)('in %s name the actor', (folder) => {
		const files = sourcesIn(folder);
		expect(files.length).toBeGreaterThan(0);
		const found = files.flatMap((file) =>
			vagueWordsIn(file, readFileSync(join(projectRoot, file), 'utf8')),
		);
		expect(found).toEqual([]);
	});

	it('are found over line ends, and in comments only', () => {
		const text = [
			"const text = 'nobody'; // Whoever reads this",
			'const pattern = /nobody/;',
			'const template = `${text} // in vain`;',
			'/**',
			' * Deletes the one',
			' * that is older.',
			' */',
			'function remove(): void {',
			'	// Kept for',
			'	// ever.',
			'}',
		].join('\n');
		expect(vagueWordsIn('sample.ts', text)).toEqual([
			'sample.ts:1 Whoever',
			'sample.ts:5 one that',
			'sample.ts:9 for ever',
		]);
	});
});
