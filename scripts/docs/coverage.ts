import { collectNamedTests, type NamedTest } from './named-tests';
import { collectStatements, statedDocuments, type Statement } from './statements';

export interface Coverage {
	readonly statements: readonly Statement[];
	/** tests by the statement that they show */
	readonly tests: ReadonlyMap<string, readonly NamedTest[]>;
}

export function collectCoverage(): Coverage {
	const tests = new Map<string, NamedTest[]>();
	for (const test of collectNamedTests()) {
		for (const name of test.shows) tests.set(name, [...(tests.get(name) ?? []), test]);
	}
	return { statements: collectStatements(), tests };
}

/** Statements without a test, and names in tests that no document states. */
export function gapsIn({ statements, tests }: Coverage): {
	untested: string[];
	unknown: string[];
} {
	const stated = new Set(statements.map(({ name }) => name));
	return {
		untested: [...stated].filter((name) => !tests.has(name)),
		unknown: [...tests.keys()].filter((name) => !stated.has(name)),
	};
}

const intro = `# Coverage of the interface

This page lists every row, item and behaviour that the documents below state, and the tests that show it.
\`npm run docs\` writes it from the documents and from the titles of the tests. A test fails if one of them has no
test, or if a test names a statement that no document contains.

A name consists of the document, the section, and the first cell or the number in it. \`npx jest -t\` with a name
runs its tests.
`;

export function renderCoverage({ statements, tests }: Coverage): string {
	const lines = [intro];
	for (const { title, file } of statedDocuments) {
		lines.push(`## ${file}`, '', '| Name | It says | Shown by |', '| --- | --- | --- |');
		for (const { name, text } of statements.filter((one) => one.name.startsWith(`${title} `))) {
			const shown = (tests.get(name) ?? []).map(
				(test) => `${cell(test.sentence)} (\`${test.file}\`)`,
			);
			lines.push(`| ${cell(name)} | ${cell(text)} | ${shown.join('<br>')} |`);
		}
		lines.push('');
	}
	return lines.join('\n');
}

const cell = (text: string): string =>
	text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');
