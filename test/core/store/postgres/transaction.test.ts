import type { PostgresConnection } from '../../../../core/store/postgres/postgres-connection';
import { PostgresTransaction } from '../../../../core/store/postgres/postgres-transaction';
import { storeErrors } from '../../../../core/store/store-errors';
import { AnsweredByHand, settled } from '../../../support/postgres/answered-by-hand';

const lost = storeErrors.create('postgresLost', { message: 'lost' });
const locked = storeErrors.create('busy', { message: 'locked' });

describe('a transaction whose beginning is not confirmed', () => {
	let first: AnsweredByHand;
	let second: AnsweredByHand;
	let reconnected: PromiseWithResolvers<PostgresConnection>;
	let reconnections: number;
	const times: number[] = [];

	beforeEach(() => {
		first = new AnsweredByHand();
		second = new AnsweredByHand();
		reconnected = Promise.withResolvers();
		reconnections = 0;
		times.length = 0;
	});

	const begin = ({
		isReplaceable = true,
		signal,
	}: {
		isReplaceable?: boolean;
		signal?: AbortSignal;
	}) =>
		new PostgresTransaction(
			first.connection,
			{
				statement: 'begin',
				eventsLock: undefined,
				isReplaceable,
				reconnect: () => {
					reconnections++;
					return reconnected.promise;
				},
				onBegun: (now) => times.push(now),
			},
			{ signal },
		);

	it('sends its first statements with it', async () => {
		const transaction = begin({});
		const answer = transaction.query('a', []);
		expect(first.sent).toEqual(['begin', 'a']);
		expect(transaction.hasBegun).toBe(false);
		first.begun('8', 3);
		expect(await transaction.begun).toBe('8');
		expect([transaction.hasBegun, times]).toEqual([true, [3]]);
		first.answer('a', ['row']);
		expect(await answer).toEqual(['row']);
	});

	it('reports the failure of a statement only when the beginning is known to have succeeded', async () => {
		const transaction = begin({});
		const failed = jest.fn();
		transaction.query('a', []).catch(failed);
		first.refuse('a', locked);
		await settled();
		expect(failed).not.toHaveBeenCalled();
		first.begun();
		await settled();
		expect(failed).toHaveBeenCalledWith(locked);
	});

	it('fails with every statement if the beginning is refused, on the same connection', async () => {
		const transaction = begin({});
		const statements = [transaction.query('a', []), transaction.change('b', [])];
		first.refuse('begin', locked);
		await expect(transaction.begun).rejects.toBe(locked);
		for (const statement of statements) await expect(statement).rejects.toBe(locked);
		expect([first.abandoned, reconnections]).toEqual([0, 0]);
		expect(transaction.connection).toBe(first.connection);
	});

	it('fails if a connection is lost that was just opened', async () => {
		const transaction = begin({ isReplaceable: false });
		const statement = transaction.query('a', []);
		first.refuse('begin', lost);
		await expect(transaction.begun).rejects.toBe(lost);
		await expect(statement).rejects.toBe(lost);
		expect([first.abandoned, reconnections]).toEqual([1, 0]);
	});

	it('goes on with another connection if its own is lost, and sends each statement once', async () => {
		const transaction = begin({});
		const before = transaction.query('a', []);
		first.refuse('a', lost);
		first.refuse('begin', lost);
		await settled();
		expect([first.abandoned, reconnections]).toEqual([1, 1]);
		const meanwhile = transaction.query('b', []);
		expect(first.sent).toEqual(['begin', 'a']);
		reconnected.resolve(second.connection);
		await settled();
		expect(second.sent).toEqual(['begin', 'a', 'b']);
		const after = transaction.query('c', []);
		expect(second.sent).toEqual(['begin', 'a', 'b', 'c']);
		second.begun('9');
		expect(await transaction.begun).toBe('9');
		for (const name of ['a', 'b', 'c']) second.answer(name, [name]);
		expect(await Promise.all([before, meanwhile, after])).toEqual([['a'], ['b'], ['c']]);
		expect(transaction.connection).toBe(second.connection);
	});

	it('fails with every statement if there is no other connection', async () => {
		const transaction = begin({});
		const before = transaction.query('a', []);
		first.refuse('begin', lost);
		await settled();
		const meanwhile = transaction.query('b', []);
		const away = storeErrors.create('postgresUnreachable', { message: 'away' });
		reconnected.reject(away);
		await expect(before).rejects.toBe(away);
		await expect(meanwhile).rejects.toBe(away);
		await expect(transaction.begun).rejects.toBe(away);
	});

	it('may fail while nobody waits for it', async () => {
		const unhandled = jest.fn();
		process.on('unhandledRejection', unhandled);
		begin({});
		first.refuse('begin', locked);
		await settled();
		await settled();
		process.off('unhandledRejection', unhandled);
		expect(unhandled).not.toHaveBeenCalled();
	});

	it('answers statements of work that goes on although it was given up', async () => {
		const transaction = begin({ signal: AbortSignal.abort(new Error('given up')) });
		const answer = transaction.query('a', []);
		first.begun();
		first.answer('a', ['row']);
		expect(await answer).toEqual(['row']);
	});
});
