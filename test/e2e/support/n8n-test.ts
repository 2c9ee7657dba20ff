/** Anything of n8n that keeps a log. */
interface Logging {
	readonly log: string;
}

const defaultLimitMs = 240_000;

const shownCharacters = 8_000;

/**
 * Jest's `it` for tests in a real n8n: when one fails, the end of the host's log is printed.
 *
 * @param limitMs less than what jest grants: then a test that hangs also shows what n8n was doing
 */
export function testsIn(
	hostOf: () => Logging | undefined,
	limitMs = defaultLimitMs,
): (name: string, body: () => Promise<void>) => void {
	return (name, body) =>
		it(name, async () => {
			try {
				await withinLimit(limitMs, body());
			} catch (error) {
				printLog(name, hostOf());
				throw error;
			}
		});
}

export function printLog(during: string, host: Logging | undefined): void {
	const log = host === undefined ? '(no n8n was running)' : withoutMigrations(host.log);
	const end = log.slice(-shownCharacters);
	process.stderr.write(`\n--- n8n during '${during}':\n${end}\n---\n`);
}

/** A new home goes through hundreds of them. */
function withoutMigrations(log: string): string {
	return log.replaceAll(/^(Starting|Finished) migration .*\n/gm, '');
}

async function withinLimit(limitMs: number, work: Promise<void>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(() => reject(new Error(`Not done after ${limitMs} ms`)), limitMs);
	});
	try {
		await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
