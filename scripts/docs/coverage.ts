import { collectNamedTests, namesIn, type NamedTest } from './named-tests';
import { notShown, type Unshown } from './not-shown';
import { collectStatements, interfacePage, statedDocuments, type Statement } from './statements';

export interface Coverage {
	readonly statements: readonly Statement[];
	/** tests by the statement that they show */
	readonly tests: ReadonlyMap<string, readonly NamedTest[]>;
	/** statements that no test shows for a reason, by name */
	readonly unshown: ReadonlyMap<string, Unshown>;
}

export function collectCoverage(): Coverage {
	const tests = new Map<string, NamedTest[]>();
	for (const test of collectNamedTests()) {
		for (const name of test.shows) tests.set(name, [...(tests.get(name) ?? []), test]);
	}
	const unshown = new Map<string, Unshown>();
	for (const one of notShown) for (const name of namesIn(one.names)) unshown.set(name, one);
	return { statements: collectStatements(), tests, unshown };
}

export interface Gaps {
	/** statements with neither a test nor a reason */
	readonly untested: readonly string[];
	/** names in tests and reasons that no document states */
	readonly unknown: readonly string[];
	/** statements with a test and a reason why they have none */
	readonly contradictory: readonly string[];
}

export function gapsIn({ statements, tests, unshown }: Coverage): Gaps {
	const stated = new Set(statements.map(({ name }) => name));
	const unnamed = [...stated].filter((name) => !tests.has(name));
	return {
		untested: unnamed.filter((name) => !unshown.has(name)),
		unknown: [...tests.keys(), ...unshown.keys()].filter((name) => !stated.has(name)),
		contradictory: [...unshown.keys()].filter((name) => tests.has(name)),
	};
}

const interfaceIntro = `# Coverage of the interface

This page lists every row, item and behaviour that the documents below state, and the tests that show it.
\`npm run docs\` writes it from the documents and from the titles of the tests. A test fails if one of them has no
test, or if a test names a statement that no document contains.

A name consists of the document, the section, and the first cell or the number in it. \`npx jest -t\` with a name
runs its tests.
`;

const version7Intro = `# Coverage of version 7

This page lists every row and paragraph of the documents below about version 7 of the Connector and its contents, with
the tests that show it. \`npm run docs\` writes it from the documents, from the comments of tests that begin with
\`shows\`, and from \`scripts/docs/not-shown.ts\`. A test fails if one of them has neither a test nor a reason for having
none, or if a test names a statement that no document contains.

A name consists of the document, the section, and the first words of the row. "Upstream only" marks what is about the
official software, about wallets or about earlier releases, and asks nothing of this project.
`;

/** Page with the statements of its documents. */
export function renderCoverage(coverage: Coverage, page: string): string {
	const { statements, tests, unshown } = coverage;
	const lines = [page === interfacePage ? interfaceIntro : version7Intro];
	const gaps: string[] = [];
	for (const { title, file } of statedDocuments.filter((document) => document.page === page)) {
		lines.push(`## ${file}`, '', '| Name | It says | Shown by |', '| --- | --- | --- |');
		for (const { name, text } of statements.filter((one) => one.name.startsWith(`${title} `))) {
			const { reason, isUpstreamOnly } = unshown.get(name) ?? {};
			const shown = (tests.get(name) ?? []).map(
				(test) => `${cell(test.sentence)} (\`${test.file}\`)`,
			);
			if (isUpstreamOnly === true) shown.push(`Upstream only: ${reason}`);
			else if (reason !== undefined) {
				shown.push('Not shown by a test');
				gaps.push(`| ${cell(name)} | ${reason} |`);
			}
			lines.push(`| ${cell(name)} | ${cell(text)} | ${shown.join('<br>')} |`);
		}
		lines.push('');
	}
	if (gaps.length > 0) {
		lines.push('## Not shown by a test', '', '| Name | Why |', '| --- | --- |', ...gaps, '');
	}
	return lines.join('\n');
}

const cell = (text: string): string =>
	text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');
