/** Milliseconds within which further lines are gathered after a write. */
const gatherMs = 20;
const maxGatheredCharacters = 64 * 1024;

/**
 * Gathers lines that follow each other closely into one write, because each write to a pipe is a
 * system call that waits for its completion. The first line after a pause is written at once.
 */
export class LineBuffer {
	private gathered = '';

	private timer: NodeJS.Timeout | undefined;

	/** @param write writes text synchronously, as the standard output of a process does */
	constructor(private readonly write: (text: string) => void) {}

	add(line: string): void {
		this.gathered += line;
		if (this.timer === undefined || this.gathered.length > maxGatheredCharacters) this.flush();
		this.timer ??= setTimeout(() => {
			this.timer = undefined;
			this.flush();
		}, gatherMs).unref();
	}

	/** Writes what was gathered, for example before the process ends. */
	flush(): void {
		const text = this.gathered;
		this.gathered = '';
		if (text !== '') this.write(text);
	}
}
