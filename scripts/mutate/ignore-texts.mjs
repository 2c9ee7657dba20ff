/**
 * Leaves out what is for people only and no promise, because callers branch on codes and never on prose:
 * texts of errors, their remedies, and lines of the log.
 */
const textMembers = new Set(['message', 'remedy']);
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

function isLogLine({ node }) {
	const call = node.type === 'ExpressionStatement' ? node.expression : node;
	if (call.type !== 'CallExpression') return false;
	const { object, property } = call.callee;
	const logger = object?.property?.name ?? object?.name;
	return logger === 'logger' && levels.has(property?.name);
}

/** A mistake in our own code, which no test can cause. */
const isAssertion = ({ node }) =>
	node.type === 'NewExpression' && ['TypeError', 'Error'].includes(node.callee.name);

/** A plugin as StrykerJS declares them. */
export const strykerPlugins = [
	{
		kind: 'Ignore',
		name: 'texts',
		value: {
			shouldIgnore(path) {
				if (isMemberText(path)) return 'a text for people';
				if (isLogLine(path)) return 'a line of the log';
				if (isAssertion(path)) return 'the text of an assertion';
				return undefined;
			},
		},
	},
];
