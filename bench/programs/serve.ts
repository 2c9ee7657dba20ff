import { profiled } from '../support/processor-profile';

/** Call of the benchmark to one of its programs, and the answer. */
export interface ProgramCall {
	readonly id: number;
	readonly method: string;
	readonly params: unknown;
}

export type ProgramAnswer =
	| { readonly id: number; readonly result: unknown }
	| { readonly id: number; readonly error: string };

/** Methods that a program offers; parameters and results are JSON. */
export type Methods = Record<string, (params: never) => unknown>;

/** Resident bytes of this process, after a moment for garbage collection and lazy work. */
export async function settledMemory(): Promise<number> {
	for (let round = 0; round < 5; round++) {
		globalThis.gc?.();
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	return process.memoryUsage.rss();
}

/** Answers calls of the parent process; ends with it. */
export function serve(methods: Methods): void {
	const all: Methods = {
		...methods,
		memory: settledMemory,
		profile: ({ method, params }: Pick<ProgramCall, 'method' | 'params'>) =>
			profiled(async () => await methods[method]?.(params as never)),
	};
	const answer = async ({ id, method, params }: ProgramCall): Promise<ProgramAnswer> => {
		try {
			const called = all[method];
			if (called === undefined) throw new TypeError(`The program has no method '${method}'`);
			return { id, result: (await called(params as never)) ?? null };
		} catch (error) {
			return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
		}
	};
	process.on('message', (call: ProgramCall) => {
		void answer(call).then((reply) => process.send?.(reply));
	});
	process.once('disconnect', () => process.exit(0));
}
