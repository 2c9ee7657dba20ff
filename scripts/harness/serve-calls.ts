import { createInterface } from 'node:readline';

export interface CallLine {
	readonly id: number;
	readonly method: string;
	readonly params: unknown;
}

/**
 * Writes a JSON line. Pipes are written synchronously, so it has left the process when the call
 * returns.
 */
export function writeLine(line: object): void {
	process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * Answers the calls of a `PeerProcess`, which come as JSON lines on stdin. Resolves when no more
 * can come.
 *
 * @param work returns undefined if there is no answer
 */
export function serveCalls(
	work: (line: CallLine) => Promise<unknown>,
	reviver?: (name: string, value: unknown) => unknown,
): Promise<void> {
	const answer = async (text: string): Promise<void> => {
		const line = JSON.parse(text, reviver) as CallLine;
		try {
			const result = await work(line);
			if (result !== undefined) writeLine({ id: line.id, result });
		} catch (error) {
			const message = error instanceof Error ? String(error.stack) : String(error);
			writeLine({ id: line.id, error: { message } });
		}
	};
	const lines = createInterface({ input: process.stdin });
	lines.on('line', (text) => void answer(text));
	return new Promise((resolve) => lines.on('close', () => resolve()));
}
