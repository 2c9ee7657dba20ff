/** Mutations of TypeScript: an operator, a condition, a value or a statement is another one, or missing. */
import ts from 'typescript';

const { SyntaxKind } = ts;

const operators = {
	'===': '!==',
	'!==': '===',
	'<': '<=',
	'<=': '<',
	'>': '>=',
	'>=': '>',
	'&&': '||',
	'||': '&&',
	'??': '&&',
	'+': '-',
	'-': '+',
	'*': '/',
	'%': '*',
};

/** Members whose values are texts for people: callers branch on codes only. */
const textMembers = new Set(['meaning', 'message', 'remedy']);

/** Catalogues of errors, assertions about the project's own code, lines of the log, types. */
function isIgnored(node) {
	if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) {
		return true;
	}
	if (ts.isNewExpression(node)) return ['Error', 'TypeError'].includes(node.expression.getText());
	if (ts.isPropertyAssignment(node)) return textMembers.has(node.name.getText());
	if (!ts.isCallExpression(node)) return false;
	return /^defineErrors$|\blogger\??\.\w+$/.test(node.expression.getText());
}

const isName = (node) => ts.isPropertyAssignment(node.parent) && node.parent.name === node;

/** True for a pattern, as in `[a, b] = [b, a]`. */
const isAssigned = (node) =>
	ts.isBinaryExpression(node.parent) &&
	node.parent.left === node &&
	node.parent.operatorToken.kind === SyntaxKind.EqualsToken;

const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

function* replacementsOf(node) {
	const text = node.getText();
	if (ts.isBinaryExpression(node)) {
		const { left, operatorToken, right } = node;
		const other = operators[operatorToken.getText()];
		if (other !== undefined && !isText(left) && !isText(right)) yield [operatorToken, other, node];
	} else if (ts.isIfStatement(node)) {
		yield [node.expression, 'true'];
		yield [node.expression, 'false'];
	} else if (ts.isConditionalExpression(node)) {
		yield [node.condition, `!(${node.condition.getText()})`];
	} else if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
		yield [node, node.operand.getText()];
	} else if (node.kind === SyntaxKind.TrueKeyword) yield [node, 'false'];
	else if (node.kind === SyntaxKind.FalseKeyword) yield [node, 'true'];
	else if (ts.isNumericLiteral(node) && !isName(node)) yield [node, `(${text} + 1)`];
	else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) {
		if (!isAssigned(node)) yield [node, '[]'];
	} else if (ts.isExpressionStatement(node) && !text.startsWith('super')) {
		const isLog = isIgnored(node.expression);
		if (!isLog) yield [node, ';', node.expression];
	}
}

/** All mutations of a file: a place, the text that replaces it, and the expression that is computed there. */
export function mutationsOf(file, source) {
	const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.ES2023, true);
	const found = [];
	const visit = (node) => {
		if (isIgnored(node)) return;
		for (const [place, text, around = place] of replacementsOf(node)) {
			const [start, end] = [place.getStart(), place.getEnd()];
			const line = parsed.getLineAndCharacterOfPosition(start).line + 1;
			const expression = [around.getStart(), around.getEnd()];
			found.push({ file, start, end, text, line, before: place.getText(), expression });
		}
		ts.forEachChild(node, visit);
	};
	visit(parsed);
	return found;
}
