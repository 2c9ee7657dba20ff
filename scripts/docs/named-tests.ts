import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { projectRoot, sourceFiles } from './source-files';
import { statedDocuments } from './statements';

/**
 * Test or group of tests that names the statements that it shows: in the title, as in
 * `interface 4: 13 | answers without content`, or in a comment before it, as in
 * `// shows connector-7 4: POST; DELETE /{id}; generation-7 6: anything else`, where names without
 * a document belong to the section before them.
 */
export interface NamedTest {
	readonly file: string;
	/** names of statements, separated by semicolons in the title */
	readonly shows: readonly string[];
	/** title after the names */
	readonly sentence: string;
}

const divider = ' | ';
const documents = statedDocuments.map(({ title }) => title).join('|');
const namesAStatement = new RegExp(String.raw`^(?:${documents}) \d+(?:\.\d+)*: `);
const showing = /^shows (?=[a-z])/;

/** Named tests of all suites, without tests that `npm test` does not run. */
export function collectNamedTests(): NamedTest[] {
	return sourceFiles('test')
		.filter((file) => file.endsWith('.test.ts'))
		.flatMap((file) => readNamedTests(file, readFileSync(join(projectRoot, file), 'utf8')));
}

export function readNamedTests(file: string, text: string): NamedTest[] {
	if (!new RegExp(String.raw`\b(?:${documents}) \d`).test(text)) return [];
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
	return testsIn(source.statements).flatMap(({ title, comment }) => {
		const [names = '', ...sentence] = title.split(divider);
		if (namesAStatement.test(names) && sentence.length > 0) {
			return [{ file, shows: names.split('; '), sentence: sentence.join(divider) }];
		}
		return comment === '' ? [] : [{ file, shows: namesIn(comment), sentence: title }];
	});
}

/** Names in a list, each with its document and section. */
export function namesIn(list: string): string[] {
	let section = '';
	return list.split('; ').map((name) => {
		const given = namesAStatement.exec(name)?.[0];
		section = given ?? section;
		return given === undefined ? `${section}${name}` : name;
	});
}

interface FoundTest {
	readonly title: string;
	/** what stands after `shows` in the comment before it */
	readonly comment: string;
}

/**
 * Tests that always run, and groups with such tests: not skipped, and at the top level or in a
 * `describe`, instead of in a condition, a loop or a function.
 */
function testsIn(statements: readonly ts.Statement[]): FoundTest[] {
	return statements.flatMap((statement) => {
		if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) {
			return [];
		}
		const [title, body] = statement.expression.arguments;
		const called = calledName(statement.expression.expression);
		const text = title !== undefined && ts.isStringLiteralLike(title) ? title.text : undefined;
		const found = text === undefined ? [] : [{ title: text, comment: shownBy(statement) }];
		if (called === 'it' || called === 'test') return found;
		const inside = called === 'describe' ? testsIn(bodyOf(body)) : [];
		return inside.length === 0 ? [] : [...found, ...inside];
	});
}

/** List in the lines of comment before a statement; empty without one. */
function shownBy(statement: ts.Statement): string {
	const source = statement.getSourceFile().text;
	const lines = (ts.getLeadingCommentRanges(source, statement.pos) ?? [])
		.filter(({ kind }) => kind === ts.SyntaxKind.SingleLineCommentTrivia)
		.map(({ pos, end }) => source.slice(pos + 2, end).trim());
	const first = lines.findIndex((line) => showing.test(line));
	return first < 0 ? '' : lines.slice(first).join(' ').replace(showing, '');
}

/** `it` for `it` and `it.each(rows)`; undefined for `it.skip`, `it.todo` and every other callee. */
function calledName(callee: ts.Expression): string | undefined {
	if (ts.isIdentifier(callee)) return callee.text;
	const each = ts.isCallExpression(callee) ? callee.expression : undefined;
	if (each === undefined || !ts.isPropertyAccessExpression(each)) return undefined;
	return each.name.text === 'each' && ts.isIdentifier(each.expression)
		? each.expression.text
		: undefined;
}

function bodyOf(callback: ts.Expression | undefined): readonly ts.Statement[] {
	const isFunction =
		callback !== undefined && (ts.isArrowFunction(callback) || ts.isFunctionExpression(callback));
	return isFunction && ts.isBlock(callback.body) ? callback.body.statements : [];
}
