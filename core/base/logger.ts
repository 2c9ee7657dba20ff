/** Named details of a line; values whose names indicate secrets are replaced. */
export type LogFacts = Readonly<Record<string, unknown>>;

/**
 * Narrow logger interface that each host adapts to its own (n8n's `this.logger`, the console of the
 * command line).
 */
export interface Logger {
	/** Logs a detail for the search of faults. */
	debug(message: string, facts?: LogFacts): void;
	/** Logs a normal event, for example the creation of an identity. */
	info(message: string, facts?: LogFacts): void;
	/** Logs a state that works but should be corrected. */
	warn(message: string, facts?: LogFacts): void;
	/** Logs a failure that a person should know of. */
	error(message: string, facts?: LogFacts): void;
	/** Creates a logger whose lines start with the given name. */
	child(name: string): Logger;
}

/** Any object with the four methods, for example n8n's logger or the console. */
export interface LogSink {
	/** Receives details for the search of faults. */
	debug(message: string, facts?: object): void;
	/** Receives normal events. */
	info(message: string, facts?: object): void;
	/** Receives states that work but should be corrected. */
	warn(message: string, facts?: object): void;
	/** Receives failures that a person should know of. */
	error(message: string, facts?: object): void;
}

const secretName = /secret|password|passphrase|token|private|authorization|(^|[^a-z])key$/i;

/** Replaces the values of members whose name indicates a secret, up to four levels deep. */
export function redact(facts: object, depth = 0): LogFacts {
	const safe: Record<string, unknown> = {};
	const entries: Array<[string, unknown]> = Object.entries(facts);
	for (const [name, value] of entries) {
		if (secretName.test(name)) safe[name] = '[redacted]';
		else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
			safe[name] = depth < 4 ? redact(value, depth + 1) : '[nested]';
		} else safe[name] = value;
	}
	return safe;
}

/**
 * Makes a logger that writes to a sink and removes secrets from the facts.
 *
 * @param name stands in brackets before each line
 */
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

/** Logger that writes nothing; the default of a gateway. */
export const silentLogger: Logger = {
	debug: nothing,
	info: nothing,
	warn: nothing,
	error: nothing,
	child: () => silentLogger,
};
