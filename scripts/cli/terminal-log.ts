import type { LogSink } from '../../core';

/**
 * Writes one line per event: `[time] [LEVEL] message {facts}`. Line breaks are escaped, so that
 * they cannot forge lines.
 */
const write =
	(level: string, stream: NodeJS.WriteStream) =>
	(message: string, facts?: object): void => {
		const text = message.replaceAll(/[\r\n]+\s*/g, ' | ');
		const shown = facts === undefined ? '' : ` ${JSON.stringify(facts)}`;
		stream.write(`[${new Date().toISOString()}] [${level}] ${text}${shown}\n`);
	};

export const terminalSink: LogSink = {
	debug: () => undefined,
	info: write('INFO', process.stdout),
	warn: write('WARN', process.stderr),
	error: write('ERROR', process.stderr),
};
