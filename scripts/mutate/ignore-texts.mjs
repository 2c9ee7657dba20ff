/**
 * Excludes texts for people from mutation (error messages, remedies, log lines), because callers
 * branch on codes only.
 */
const textMembers = new Set(['meaning', 'message', 'remedy']);
const textNodes = new Set([
	'BinaryExpression',
	'ConditionalExpression',
	'StringLiteral',
	'TemplateLiteral',
]);
const levels = new Set(['debug', 'info', 'warn', 'error']);

function isMemberText({ node, parent }) {
	if (!textNodes.has(node.type) || parent?.type !== 'ObjectProperty') return false;
	return parent.value === node && textMembers.has(parent.key.name);
}

/** An object with nothing but such texts, for example the details of an error. */
function isObjectOfTexts({ node }) {
	if (node.type !== 'ObjectExpression' || node.properties.length === 0) return false;
	return node.properties.every(
		(member) => member.type === 'ObjectProperty' && textMembers.has(member.key.name),
	);
}

function isLogLine({ node }) {
	const call = node.type === 'ExpressionStatement' ? node.expression : node;
	if (call.type !== 'CallExpression') return false;
	const { object, property } = call.callee;
	const logger = object?.property?.name ?? object?.name;
	return logger === 'logger' && levels.has(property?.name);
}

/** A block, a condition for a block, or a listener that only logs. */
function isOnlyLogged({ node }) {
	if (node.type === 'ArrowFunctionExpression') return isOnlyLogged({ node: node.body });
	if (node.type === 'IfStatement') {
		return node.alternate == null && isOnlyLogged({ node: node.consequent });
	}
	if (node.type !== 'BlockStatement') return isLogLine({ node });
	return node.body.length > 0 && node.body.every((part) => isOnlyLogged({ node: part }));
}

/** A catalogue of errors, whose source `test/architecture/docs.test.ts` compares with `docs/errors.md`. */
const isCatalogue = ({ node }) =>
	node.type === 'CallExpression' && node.callee.name === 'defineErrors';

/** An assertion about the project's own code, which no test can trigger. */
const isAssertion = ({ node }) =>
	node.type === 'NewExpression' && ['TypeError', 'Error'].includes(node.callee.name);

/** The key of a statement in the cache of compiled statements, of which any other text is as good. */
const isStatementKey = ({ node, parent }) =>
	node.type === 'StringLiteral' &&
	parent?.type === 'CallExpression' &&
	(parent.callee.object?.property?.name ?? parent.callee.object?.name) === 'compiled';

/** Plugin in the form of StrykerJS. */
export const strykerPlugins = [
	{
		kind: 'Ignore',
		name: 'texts',
		value: {
			shouldIgnore(path) {
				if (isMemberText(path) || isObjectOfTexts(path)) return 'a text for people';
				if (isOnlyLogged(path)) return 'a line of the log';
				if (isStatementKey(path)) return 'a key of the cache of statements';
				if (isCatalogue(path)) return 'a catalogue of errors';
				if (isAssertion(path)) return 'the text of an assertion';
				return undefined;
			},
		},
	},
];
