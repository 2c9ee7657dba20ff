import { collectNamedTests, type NamedTest } from './named-tests';
import { collectStatements, statedDocuments, type Statement } from './statements';

export interface Coverage {
	readonly statements: readonly Statement[];
	/** by the name of what they show */
	readonly tests: ReadonlyMap<string, readonly NamedTest[]>;
}

export function collectCoverage(): Coverage {
	const tests = new Map<string, NamedTest[]>();
	for (const test of collectNamedTests()) {
		for (const name of test.shows) tests.set(name, [...(tests.get(name) ?? []), test]);
	}
	return { statements: collectStatements(), tests };
}

/** What no test shows, and what tests name although no document says it. */
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

Written by \`npm run docs\` from the documents and from the titles of the tests; a test fails when a row,
an item or a behaviour has no test, or when a test names one that does not exist.

A name consists of the document, the section, and the first cell or the number in it. \`npx jest -t\`
with a name runs its tests.
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
