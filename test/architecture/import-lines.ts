import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import ts from 'typescript';

import { projectRoot, sourceFiles } from '../../scripts/docs/source-files';

export interface ImportLine {
	/** the importing file, from the project's root */
	readonly from: string;
	/** a file or folder of the project without extension, or a package name */
	readonly to: string;
	readonly line: number;
	/** an import that leaves nothing behind at run time */
	readonly typeOnly: boolean;
	/** loaded on use (`import()`, `require()` in a function), not with the module */
	readonly lazy: boolean;
	readonly external: boolean;
}

const folders = ['core', 'nodes', 'credentials', 'sandbox', 'scripts', 'bench', 'test'];

/**
 * Every import, re-export, `import()`, `require()` and type import of these files.
 *
 * @param isRead by the path from the project's root; parsing the whole project takes seconds
 */
export function readImportLines(isRead: (file: string) => boolean = () => true): ImportLine[] {
	const files = ['index.ts', ...folders.flatMap(sourceFiles)].filter(isRead);
	return files.flatMap((file) => importsOf(file));
}

function importsOf(file: string): ImportLine[] {
	let text: string;
	try {
		text = readFileSync(join(projectRoot, file), 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
		throw error;
	}
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023);
	const found: ImportLine[] = [];
	const add = (node: ts.Node, specifier: ts.Node | undefined, flags: Flags): void => {
		if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
		const external = !specifier.text.startsWith('.');
		const to = external ? specifier.text : resolved(file, specifier.text);
		const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
		found.push({ from: file, to, line, external, ...flags });
	};
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) {
			add(node, node.moduleSpecifier, { typeOnly: isTypeOnly(node.importClause), lazy: false });
		} else if (ts.isExportDeclaration(node)) {
			add(node, node.moduleSpecifier, { typeOnly: node.isTypeOnly, lazy: false });
		} else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
			add(node, node.argument.literal, { typeOnly: true, lazy: false });
		} else if (ts.isCallExpression(node) && isLoading(node.expression)) {
			add(node, node.arguments[0], { typeOnly: false, lazy: true });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** A folder stands for its index. */
function resolved(file: string, specifier: string): string {
	const path = posix.join(posix.dirname(file), specifier);
	return existsSync(join(projectRoot, path, 'index.ts')) ? `${path}/index` : path;
}

interface Flags {
	readonly typeOnly: boolean;
	readonly lazy: boolean;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
	if (clause === undefined) return false;
	if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
	const named = clause.namedBindings;
	return (
		clause.name === undefined &&
		named !== undefined &&
		ts.isNamedImports(named) &&
		named.elements.length > 0 &&
		named.elements.every((element) => element.isTypeOnly)
	);
}

function isLoading(expression: ts.Expression): boolean {
	return (
		expression.kind === ts.SyntaxKind.ImportKeyword ||
		(ts.isIdentifier(expression) && expression.text === 'require')
	);
}
