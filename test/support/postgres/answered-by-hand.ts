import type { PostgresConnection } from '../../../core/store/postgres/postgres-connection';

/** Connection whose statements are answered when the test says so. */
export class AnsweredByHand {
	readonly sent: string[] = [];

	abandoned = 0;

	isOpen = true;

	private onEnd: () => void = () => undefined;

	private readonly answers = new Map<string, PromiseWithResolvers<unknown>>();

	readonly run = (sql: string) => this.send(sql);

	readonly query = (sql: string) => this.send(sql);

	readonly change = (sql: string) => this.send(sql);

	get connection(): PostgresConnection {
		return this as unknown as PostgresConnection;
	}

	onceEnded(listener: () => void): void {
		this.onEnd = listener;
	}

	abandon(): void {
		this.abandoned++;
		this.isOpen = false;
	}

	close(): Promise<void> {
		this.isOpen = false;
		return Promise.resolve();
	}

	/** Ends as a connection does that is lost. */
	end(): void {
		this.isOpen = false;
		this.onEnd();
	}

	begun(id = '7', now = 1): void {
		this.answer('begin', { command: 'SELECT', rows: [{ id, now }] });
	}

	answer(sql: string, answer: unknown): void {
		this.answers.get(sql)?.resolve(answer);
	}

	refuse(sql: string, error: unknown): void {
		this.answers.get(sql)?.reject(error);
	}

	private send(statement: string): Promise<unknown> {
		// Tests name the beginning of a transaction without its locks.
		const sql = statement.startsWith('begin') ? 'begin' : statement;
		this.sent.push(sql);
		const answer = Promise.withResolvers<unknown>();
		this.answers.set(sql, answer);
		return answer.promise;
	}
}

/** Lets everything happen that is due. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
