import type { LogSink } from '../../core';
import { LineBuffer } from './line-buffer';

/**
 * Line of an event: `[time] [LEVEL] message {facts}`. Line breaks are escaped, so that they cannot
 * forge lines.
 */
function lineOf(level: string, message: string, facts?: object): string {
	const text = message.replaceAll(/[\r\n]+\s*/g, ' | ');
	const shown = facts === undefined ? '' : ` ${JSON.stringify(facts)}`;
	return `[${new Date().toISOString()}] [${level}] ${text}${shown}\n`;
}

const output = new LineBuffer((text) => process.stdout.write(text));
process.once('exit', () => output.flush());

const toError =
	(level: string) =>
	(message: string, facts?: object): void => {
		// Keeps the order of lines where both streams lead to the same place.
		output.flush();
		process.stderr.write(lineOf(level, message, facts));
	};

export const terminalSink: LogSink = {
	debug: () => undefined,
	info: (message, facts) => output.add(lineOf('INFO', message, facts)),
	warn: toError('WARN'),
	error: toError('ERROR'),
};
