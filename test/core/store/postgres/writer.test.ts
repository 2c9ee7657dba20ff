import type { PostgresConnection } from '../../../../core/store/postgres/postgres-connection';
import { PostgresWriter } from '../../../../core/store/postgres/postgres-writer';

import { systemClock } from '../../../../core/base/clock';
import { storeErrors } from '../../../../core/store/store-errors';
import { AnsweredByHand, settled } from '../../../support/postgres/answered-by-hand';
import { until } from '../../../support/until';

type Options = ConstructorParameters<typeof PostgresWriter>[0];

const lost = storeErrors.create('postgresLost', { message: 'lost' });

/** Writer whose attempts to connect end as the test says. */
function openWriter() {
	const attempts: Array<PromiseWithResolvers<PostgresConnection>> = [];
	const open = (): Promise<PostgresConnection> => {
		const attempt = Promise.withResolvers<PostgresConnection>();
		attempts.push(attempt);
		return attempt.promise;
	};
	return {
		writer: new PostgresWriter({ schema: 's', open, onReconnected: () => undefined } as Options),
		attempts,
	};
}

const connection = { onceEnded: () => undefined } as unknown as PostgresConnection;
const away = new Error('the server is away');

describe('a call that joins an attempt to connect', () => {
	it('tries again by itself, because the attempt may have begun before the server was back', async () => {
		const { writer, attempts } = openWriter();
		const first = writer.connect();
		const second = writer.connect();
		attempts[0]?.reject(away);
		await expect(first).rejects.toBe(away);
		attempts[1]?.resolve(connection);
		expect(await second).toBe(connection);
		expect(attempts).toHaveLength(2);
	});

	it('tries only once more', async () => {
		const { writer, attempts } = openWriter();
		const both = Promise.allSettled([writer.connect(), writer.connect()]);
		attempts[0]?.reject(away);
		await new Promise((resolve) => setImmediate(resolve));
		attempts[1]?.reject(away);
		expect(await both).toEqual([
			{ status: 'rejected', reason: away },
			{ status: 'rejected', reason: away },
		]);
		expect(attempts).toHaveLength(2);
	});
});

describe('a writer whose connection is answered by hand', () => {
	const status = 'select pg_xact_status($1::xid8) as status';

	async function connectedWriter() {
		const { writer, attempts } = openWriter();
		const first = new AnsweredByHand();
		const connecting = writer.connect();
		attempts[0]?.resolve(first.connection);
		await connecting;
		return { writer, attempts, first };
	}

	afterEach(() => {
		jest.restoreAllMocks();
	});

	it('rolls back work that failed before it reports the failure', async () => {
		const { writer, first } = await connectedWriter();
		const failed = jest.fn();
		const work = async (executor: { query(sql: string, parameters: []): Promise<unknown> }) => {
			await executor.query('a', []);
			throw new Error('mistake');
		};
		writer.run(work).catch(failed);
		await settled();
		first.begun();
		first.answer('a', []);
		await settled();
		expect(first.sent).toEqual(['begin', 'a', 'rollback']);
		expect(failed).not.toHaveBeenCalled();
		first.answer('rollback', {});
		await settled();
		expect(failed).toHaveBeenCalledWith(new Error('mistake'));
		expect(first.abandoned).toBe(0);
	});

	it('does not go on with a connection that cannot roll back', async () => {
		const { writer, first } = await connectedWriter();
		const failing = writer.run(() => Promise.reject(new Error('mistake')));
		await expect(failing).rejects.toThrow('mistake');
		first.begun();
		await settled();
		first.refuse('rollback', lost);
		await settled();
		expect(first.abandoned).toBe(1);
	});

	it('does not go on with a connection that has not answered a commit', async () => {
		const { writer, attempts, first } = await connectedWriter();
		const committing = writer.run(() => Promise.resolve('result'));
		await settled();
		first.begun('9');
		await settled();
		first.refuse('commit', lost);
		await settled();
		expect(first.abandoned).toBe(1);
		const second = new AnsweredByHand();
		attempts[1]?.resolve(second.connection);
		await settled();
		expect(second.sent).toEqual([status]);
		// The driver answers a query with its rows.
		second.answer(status, [{ status: 'committed' }]);
		expect(await committing).toBe('result');
	});

	/** Writer with a connection, after whose loss the server is away until the test says so. */
	async function writerWithoutServer() {
		const [first, second] = [new AnsweredByHand(), new AnsweredByHand()];
		const server = { tries: 0, isAway: true };
		const open = () => {
			if (server.tries++ === 0) return Promise.resolve(first.connection);
			return server.isAway ? Promise.reject(away) : Promise.resolve(second.connection);
		};
		const writer = new PostgresWriter({ schema: 's', open, onReconnected: () => undefined });
		await writer.connect();
		return { writer, first, second, server };
	}

	it('asks less and less often for the outcome of a commit', async () => {
		const { writer, first, second, server } = await writerWithoutServer();
		const committing = writer.run(() => Promise.resolve('result'));
		await settled();
		first.begun();
		await settled();
		first.refuse('commit', lost);
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(server.tries).toBeLessThan(10);
		server.isAway = false;
		await until(() => second.sent.length === 1);
		second.answer(status, [{ status: 'aborted' }]);
		await expect(committing).rejects.toBe(lost);
	});

	it('tries less and less often to restore its connection, without keeping the process alive', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(1);
		const timers = () =>
			process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
		const { writer, first, server } = await writerWithoutServer();
		const before = timers();
		first.end();
		await settled();
		expect(timers()).toBe(before);
		await new Promise((resolve) => setTimeout(resolve, 500));
		expect(server.tries).toBeLessThan(8);
		await writer.close();
	});

	it.each([
		[1_999, 0],
		[2_000, 2_000],
		[-1_999, 0],
		[-2_000.4, -2_000],
	])('counts a server that is %d ms ahead as %d ms ahead', async (aheadMs, expected) => {
		const { writer, first } = await connectedWriter();
		jest.spyOn(systemClock, 'now').mockReturnValue(10_000);
		const running = writer.run(() => Promise.resolve());
		await settled();
		first.begun('1', 10_000 + aheadMs);
		await settled();
		first.answer('commit', { command: 'COMMIT', rows: [] });
		await running;
		expect(writer.clockAheadMs).toBe(expected);
	});
});
