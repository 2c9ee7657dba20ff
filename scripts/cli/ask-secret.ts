import type { Readable, Writable } from 'node:stream';

/** Terminal, or its substitute in tests. */
export interface Terminal {
	readonly input: Readable & { setRawMode?(isRaw: boolean): unknown; readonly isTTY?: boolean };
	readonly output: Writable;
}

/**
 * Asks for a secret without echoing it; undefined without a terminal.
 *
 * @throws on Ctrl-C
 */
export async function askSecret(
	question: string,
	{ input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string | undefined> {
	if (input.isTTY !== true || input.setRawMode === undefined) return undefined;
	output.write(question);
	input.setRawMode(true);
	try {
		return await typed(input);
	} finally {
		input.setRawMode(false);
		input.pause();
		output.write('\n');
	}
}

async function typed(input: Readable): Promise<string> {
	const characters: string[] = [];
	return await new Promise((resolve, reject) => {
		const onData = (chunk: Buffer | string): void => {
			for (const character of chunk.toString()) {
				if (character === '\u0003') return done(() => reject(new Error('Interrupted.')));
				if ('\r\n\u0004'.includes(character)) return done(() => resolve(characters.join('')));
				if (character === '\u007f' || character === '\b') characters.pop();
				else characters.push(character);
			}
		};
		const done = (end: () => void): void => {
			input.off('data', onData);
			end();
		};
		input.on('data', onData);
		input.resume();
	});
}
