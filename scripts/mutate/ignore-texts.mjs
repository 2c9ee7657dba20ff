/**
 * Leaves out what is for people only and no promise (style guide: callers branch on codes, never on
 * prose): texts of errors, their remedies, and lines of the log.
 */
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const texts = new Set(['message', 'remedy', 'reason']);
const levels = new Set(['debug', 'info', 'warn', 'error']);

const isText = ({ node }) =>
	node.type === 'StringLiteral' ||
	node.type === 'TemplateLiteral' ||
	node.type === 'BinaryExpression';

function isMemberText(path) {
	const { parent } = path;
	return (
		parent?.type === 'ObjectProperty' && parent.value === path.node && texts.has(parent.key.name)
	);
}

function isLogLine({ node }) {
	if (node.type !== 'CallExpression') return false;
	const { object, property } = node.callee;
	const logger = object?.property?.name ?? object?.name;
	return logger === 'logger' && levels.has(property?.name);
}

/** A mistake in our own code, which no test can cause. */
const isAssertion = ({ node }) =>
	node.type === 'NewExpression' && ['TypeError', 'Error'].includes(node.callee.name);

export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'texts', {
		shouldIgnore(path) {
			if (isText(path) && isMemberText(path)) return 'a text for people';
			if (isLogLine(path)) return 'a line of the log';
			if (isAssertion(path)) return 'the text of an assertion';
			return undefined;
		},
	}),
];
