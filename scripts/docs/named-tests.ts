import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { projectRoot, sourceFiles } from './source-files';

/**
 * Test whose title names the statements that it shows: `interface 4: 13 | answers without content`.
 */
export interface NamedTest {
	readonly file: string;
	/** names of statements, separated by semicolons in the title */
	readonly shows: readonly string[];
	/** title after the names */
	readonly sentence: string;
}

const divider = ' | ';
const namesAStatement = /^(interface|http-api) \d+(\.\d+)*: /;

/** Named tests of all suites, without tests that `npm test` does not run. */
export function collectNamedTests(): NamedTest[] {
	return sourceFiles('test')
		.filter((file) => file.endsWith('.test.ts'))
		.flatMap((file) => readNamedTests(file, readFileSync(join(projectRoot, file), 'utf8')));
}

export function readNamedTests(file: string, text: string): NamedTest[] {
	if (!/(interface|http-api) \d/.test(text)) return [];
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
	return titlesIn(source.statements).flatMap((title) => {
		const [names = '', ...sentence] = title.split(divider);
		if (!namesAStatement.test(names) || sentence.length === 0) return [];
		return [{ file, shows: names.split('; '), sentence: sentence.join(divider) }];
	});
}

/**
 * Titles of tests that always run: not skipped, and at the top level or in a `describe`, instead of
 * in a condition, a loop or a function.
 */
function titlesIn(statements: readonly ts.Statement[]): string[] {
	return statements.flatMap((statement) => {
		if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) {
			return [];
		}
		const [title, body] = statement.expression.arguments;
		const called = calledName(statement.expression.expression);
		if (called === 'describe') return titlesIn(bodyOf(body));
		const isTest = called === 'it' || called === 'test';
		return isTest && title !== undefined && ts.isStringLiteralLike(title) ? [title.text] : [];
	});
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
