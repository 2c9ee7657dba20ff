import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../../scripts/docs/source-files';

const known = new Map<string, readonly string[]>();

/** Whole texts of a source file, not what stands in its comments. */
export function textsIn(file: string): readonly string[] {
	const before = known.get(file);
	if (before !== undefined) return before;
	const text = readFileSync(join(projectRoot, file), 'utf8');
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) found.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, false));
	known.set(file, found);
	return found;
}
