/**
 * Shows in plain lines how far work has come whose steps partly run at the same time. The share
 * counts each step by the time that it usually takes.
 */
const everyMs = 20_000;
/** A running step never counts as done. */
const mostOfRunning = 0.9;

export class Progress {
	#steps = new Map();
	#startedAt = Date.now();
	#timer;

	/**
	 * @param steps names of the steps with their usual seconds
	 * @param say prints a line
	 */
	constructor(steps, say = console.log) {
		this.say = say;
		for (const [name, seconds] of Object.entries(steps)) {
			this.#steps.set(name, { usualMs: seconds * 1000, state: 'waiting' });
		}
		this.#timer = setInterval(() => this.#showRunning(), everyMs);
		this.#timer.unref();
	}

	/** Runs a step, and prints a line when it is done. Steps without a place in the table are silent. */
	async run(name, work) {
		const step = this.#steps.get(name);
		if (step === undefined) return await work();
		Object.assign(step, { state: 'running', startedAt: Date.now() });
		const result = await work();
		step.state = 'done';
		const seconds = Math.round((Date.now() - step.startedAt) / 1000);
		this.say(`${this.#share()}  ${name} (${seconds} s)`);
		return result;
	}

	/** Prints no more lines. */
	end() {
		clearInterval(this.#timer);
	}

	#showRunning() {
		const running = [...this.#steps].filter(([, { state }]) => state === 'running');
		if (running.length === 0) return;
		const names = running.map(([name]) => name).join(', ');
		const seconds = Math.round((Date.now() - this.#startedAt) / 1000);
		this.say(`${this.#share()}  after ${seconds} s; at work: ${names}`);
	}

	#share() {
		const steps = [...this.#steps.values()];
		const total = steps.reduce((sum, { usualMs }) => sum + usualMs, 0);
		const done = steps.reduce((sum, step) => sum + doneMs(step), 0);
		return `${Math.floor((100 * done) / total)} %`.padStart(5);
	}
}

function doneMs({ state, usualMs, startedAt }) {
	if (state === 'done') return usualMs;
	return state === 'running' ? Math.min(Date.now() - startedAt, usualMs * mostOfRunning) : 0;
}
