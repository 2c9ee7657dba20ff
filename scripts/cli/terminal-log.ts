import type { LogSink } from '../../core';

/** One line per event: `[time] [LEVEL] what happened {facts}`. Line breaks cannot forge others. */
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
