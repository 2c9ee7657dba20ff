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
	'test',
];

/** Words that leave the reader to guess the noun or the actor, metaphors, and words written twice. */
const vagueWords = [
	...['nobody', 'somebody', 'anybody', 'whoever', 'one that', 'ones that', 'of ours', 'of theirs'],
	...['those of', 'those from', 'that of', '(?:by|for|from|of|than|to|with) who'],
	...[
		'ones? (?:by|for|from|in|of|on|to|with) which',
		'(?:came|comes) about',
		'st(?:oo|an)ds? still',
	],
	...['in vain', 'for ever'],
	// 'There is no' and 'is no longer' are plain, 'it is no draft' is not.
	'(?<!there )is no (?!longer|more)',
	'(a|an|and|by|for|from|in|is|it|of|on|or|the|to|with) \\1',
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

/** Texts of the program: error messages, descriptions of fields, log lines. */
function textsOf(source: ts.SourceFile): Range[] {
	const texts: Range[] = [];
	const visit = (node: ts.Node): void => {
		const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
		if (isText) texts.push({ pos: node.getStart(source), end: node.end });
		ts.forEachChild(node, visit);
	};
	visit(source);
	return texts;
}

function vagueWordsIn(
	file: string,
	text: string,
	rangesOf: (source: ts.SourceFile) => Range[],
): string[] {
	// Parsing takes long, and hardly any file has these words at all.
	if (text.search(vague) < 0) return [];
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
	return rangesOf(source).flatMap(({ pos, end }) =>
		[...text.slice(pos, end).matchAll(vague)].map((match) => {
			const { line } = source.getLineAndCharacterOfPosition(pos + match.index);
			return `${file}:${line + 1} ${match[0].replaceAll(/[\s*/]+/g, ' ')}`;
		}),
	);
}

function tracked(...places: string[]): string[] {
	return execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...places], {
		cwd: projectRoot,
		encoding: 'utf8',
	})
		.split('\n')
		.filter((file) => file !== '' && existsSync(join(projectRoot, file)));
}

function sourcesIn(folder: string): string[] {
	const all = tracked(folder).filter((file) => /\.(ts|mts|cts|mjs|cjs|js)$/.test(file));
	return all.filter((file) => file !== 'test/architecture/words.test.ts');
}

/** Pages of this project, without the protocol, which it only receives, and without names of tests. */
function documents(): string[] {
	return tracked('*.md').filter(
		(file) => !file.startsWith('docs/protocol/') && !/-coverage\.md$/.test(file),
	);
}

const read = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');

describe('the words', () => {
	it.each(sources)('of comments and texts in %s name things and actors', (folder) => {
		const files = sourcesIn(folder);
		expect(files.length).toBeGreaterThan(0);
		const found = files.flatMap((file) => [
			...vagueWordsIn(file, read(file), commentsOf),
			...vagueWordsIn(file, read(file), textsOf),
		]);
		expect(found).toEqual([]);
	});

	it('of documents name things and actors', () => {
		expect(documents()).toContain('README.md');
		const found = documents().flatMap((file) =>
			[...read(file).matchAll(vague)].map(([words]) => `${file} ${words}`),
		);
		expect(found).toEqual([]);
	});
});

describe('vague words', () => {
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
		'	// ever. There is no other, and it is no longer known.',
		'	// It is no',
		'	// draft of the',
		'	// the peer.',
		'}',
	].join('\n');

	it('are found in comments, over line ends', () => {
		expect(vagueWordsIn('sample.ts', text, commentsOf)).toEqual([
			'sample.ts:1 Whoever',
			'sample.ts:5 one that',
			'sample.ts:9 for ever',
			'sample.ts:11 is no ',
			'sample.ts:12 the the',
		]);
	});

	it('are found in texts', () => {
		expect(vagueWordsIn('sample.ts', text, textsOf)).toEqual([
			'sample.ts:1 nobody',
			'sample.ts:3 in vain',
		]);
	});
});
