import { startDemo } from './demo';

/** `npm start`: starts everything for the first steps on this machine, until Ctrl-C. */
async function main(): Promise<void> {
	const stopping = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => stopping.abort());
	}
	const { demoFolder } = await import('../lib/demo-state.mjs');
	const demo = await startDemo({
		folder: demoFolder,
		say: (line) => console.log(line),
		signal: stopping.signal,
	});
	try {
		for (const line of demo.summary) console.log(line);
		if (!stopping.signal.aborted) await untilAborted(stopping.signal);
		console.log('\nStopping …');
	} finally {
		await demo.close();
	}
}

function untilAborted(signal: AbortSignal): Promise<void> {
	// A pending promise does not keep a process alive, but the servers do.
	return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

main().then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(error instanceof Error ? (error.stack ?? error.message) : error);
		process.exit(1);
	},
);
