import { createLogger, type Logger } from '../../core/base/logger';

/** A logger whose lines can be looked at, as text with all their facts. */
export function openLog(): { readonly logger: Logger; readonly lines: string[] } {
	const lines: string[] = [];
	const write =
		(level: string) =>
		(message: string, facts?: object): void =>
			void lines.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`);
	const sink = {
		debug: write('debug'),
		info: write('info'),
		warn: write('warn'),
		error: write('error'),
	};
	return { logger: createLogger(sink), lines };
}

/** What fails is tried again within the same sync, and warned about each time. */
export const isFirstWarning = (line: string, code: string): boolean =>
	line.startsWith('warn') && line.includes(code) && line.includes('"attempt":1');
