import type { PostgresConnection } from '../../../../core/store/postgres/postgres-connection';
import { PostgresWriter } from '../../../../core/store/postgres/postgres-writer';

type Options = ConstructorParameters<typeof PostgresWriter>[0];

/** Writer whose attempts to connect end as the test says. */
function openWriter() {
	const attempts: Array<PromiseWithResolvers<PostgresConnection>> = [];
	const open = (): Promise<PostgresConnection> => {
		const attempt = Promise.withResolvers<PostgresConnection>();
		attempts.push(attempt);
		return attempt.promise;
	};
	return { writer: new PostgresWriter({ open } as Options), attempts };
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
