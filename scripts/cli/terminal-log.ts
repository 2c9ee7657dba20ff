import type { LogSink } from '../../core';
import { logContext } from '../../core/server';
import { LineBuffer } from './line-buffer';

/** Writes one line about an event, with its line break. */
type WriteLine = (level: string, message: string, facts?: object) => string;

/**
 * Line of an event: `[time] [LEVEL] message {facts}`. Line breaks are escaped, so that they cannot
 * forge lines.
 */
const textLine: WriteLine = (level, message, facts) => {
	const text = message.replaceAll(/[\r\n]+\s*/g, ' | ');
	const shown = facts === undefined ? '' : ` ${JSON.stringify(facts)}`;
	return `[${new Date().toISOString()}] [${level}] ${text}${shown}\n`;
};

/**
 * Line of an event as JSON: time, level, name of the logger, message, the ids of the request that
 * it belongs to, and its facts.
 */
const jsonLine: WriteLine = (level, text, facts) => {
	const [, logger = '', message = text] = /^\[([\w.-]+)\] (.*)$/s.exec(text) ?? [];
	const fixed = { time: new Date().toISOString(), level: level.toLowerCase(), logger, message };
	// A fact does not replace what every line has.
	return `${JSON.stringify(Object.assign({ ...fixed, ...logContext() }, facts, fixed))}\n`;
};

const output = new LineBuffer((text) => process.stdout.write(text));
process.once('exit', () => output.flush());

/** Sink of the log of `serve`: lines of text, or of JSON for programs that collect logs. */
export function terminalSink(format: 'text' | 'json'): LogSink {
	const lineOf = format === 'json' ? jsonLine : textLine;
	const toError =
		(level: string) =>
		(message: string, facts?: object): void => {
			// Keeps the order of lines where both streams lead to the same place.
			output.flush();
			process.stderr.write(lineOf(level, message, facts));
		};
	return {
		debug: () => undefined,
		info: (message, facts) => output.add(lineOf('INFO', message, facts)),
		warn: toError('WARN'),
		error: toError('ERROR'),
	};
}
