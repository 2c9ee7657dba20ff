import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

/** Cost of a use case that does not depend on the machine. */
export interface Cost {
	/** statements on SQLite, those that begin and end transactions included */
	readonly statements: number;
	/** calls at the Backbone */
	readonly calls: number;
	/** bytes of the bodies of these calls, and of answers whose length is announced */
	readonly bytes: number;
}

interface Exchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
}

/** milliseconds without a statement after which nothing is left in the background */
const quietMs = 50;

const finished = 'http.server.response.finish';
const methods = ['all', 'run', 'get', 'iterate'] as const;

/** Counts what this process does with SQLite, and the calls that its HTTP servers answer. */
export class CostMeter {
	private statements = 0;

	private calls = 0;

	private bytes = 0;

	private readonly spies: ReadonlyArray<{ mockRestore(): void }>;

	private readonly onFinish = (message: unknown): void => {
		const { request, response } = message as Exchange;
		this.calls++;
		this.bytes += Number(request.headers['content-length'] ?? 0);
		this.bytes += Number(response.getHeader('content-length') ?? 0);
	};

	constructor() {
		// Statements of the maintenance in idle moments depend on time.
		const count = ({ sourceSQL }: StatementSync): void => {
			if (!sourceSQL.startsWith('pragma')) this.statements++;
		};
		this.spies = methods.map((method) => countCalls(method, count));
		subscribe(finished, this.onFinish);
	}

	/** Cost of some work. */
	async of(work: () => Promise<unknown>): Promise<Cost> {
		await this.untilQuiet();
		[this.statements, this.calls, this.bytes] = [0, 0, 0];
		await work();
		return { statements: this.statements, calls: this.calls, bytes: this.bytes };
	}

	/** Waits for what earlier work has left to the background, which is not part of the cost. */
	private async untilQuiet(): Promise<void> {
		for (let before = -1; before !== this.statements; await delay(quietMs))
			before = this.statements;
	}

	close(): void {
		unsubscribe(finished, this.onFinish);
		for (const spy of this.spies) spy.mockRestore();
	}
}

function countCalls(
	method: (typeof methods)[number],
	count: (statement: StatementSync) => void,
): { mockRestore(): void } {
	const original = StatementSync.prototype[method] as (...given: unknown[]) => unknown;
	return jest.spyOn(StatementSync.prototype, method).mockImplementation(function (
		this: StatementSync,
		...given: unknown[]
	): never {
		count(this);
		return original.apply(this, given) as never;
	});
}
