export type LogFacts = Readonly<Record<string, unknown>>;

/**
 * Narrow logger interface that each host adapts to its own (n8n's `this.logger`, the console of the
 * command line).
 */
export interface Logger {
	debug(message: string, facts?: LogFacts): void;
	info(message: string, facts?: LogFacts): void;
	warn(message: string, facts?: LogFacts): void;
	error(message: string, facts?: LogFacts): void;
	/** Creates a logger whose lines start with the given name. */
	child(name: string): Logger;
}

/** Any object with the four methods, for example n8n's logger or the console. */
export interface LogSink {
	debug(message: string, facts?: object): void;
	info(message: string, facts?: object): void;
	warn(message: string, facts?: object): void;
	error(message: string, facts?: object): void;
}

const secretName = /secret|password|passphrase|token|private|authorization|(^|[^a-z])key$/i;

/** Replaces the values of members whose name indicates a secret, up to four levels deep. */
export function redact(facts: LogFacts, depth = 0): LogFacts {
	const safe: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(facts)) {
		if (secretName.test(name)) safe[name] = '[redacted]';
		else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
			safe[name] = depth < 4 ? redact(value as LogFacts, depth + 1) : '[nested]';
		} else safe[name] = value;
	}
	return safe;
}

export function createLogger(sink: LogSink, name = 'enmeshed'): Logger {
	const write = (level: keyof LogSink) => (message: string, facts?: LogFacts) => {
		sink[level](`[${name}] ${message}`, facts === undefined ? undefined : redact(facts));
	};
	return {
		debug: write('debug'),
		info: write('info'),
		warn: write('warn'),
		error: write('error'),
		child: (childName) => createLogger(sink, `${name}.${childName}`),
	};
}

const nothing = (): void => undefined;

export const silentLogger: Logger = {
	debug: nothing,
	info: nothing,
	warn: nothing,
	error: nothing,
	child: () => silentLogger,
};
