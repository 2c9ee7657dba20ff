import { silentLogger } from '../../../../core/base/logger';
import {
	acceptAutomatically,
	autoAcceptConsumer,
} from '../../../../core/domain/relationship/auto-accept';
import type { ConsumeOptions } from '../../../../core/events/event-types';
import { until } from '../../../support/until';

const services = {} as Parameters<typeof autoAcceptConsumer>[0];
const onProblem = (): void => undefined;

describe('the consumer that accepts relationships', () => {
	it('reads all pending relationships from the oldest on, one at a time', () => {
		expect(autoAcceptConsumer(services, { onProblem })).toStrictEqual({
			consumer: 'auto-accept',
			filter: { names: ['transport.relationshipChanged'], relationshipStatuses: ['Pending'] },
			...{ startFrom: 'oldest', batchSize: 1, deliver: expect.any(Function) },
		});
	});

	it('has a cursor of its own for each set of templates', () => {
		const templateIds = ['RLT2', 'RLT1', 'RLT2'];
		const { consumer, filter } = autoAcceptConsumer(services, { templateIds, onProblem });
		expect(consumer).toBe('auto-accept:RLT1:RLT2');
		expect(filter).toMatchObject({ templateIds });
	});
});

describe('accepting automatically', () => {
	let attempts: number;
	const optionsWith = (signal: AbortSignal) =>
		({ ...autoAcceptConsumer(services, { onProblem }), signal }) as ConsumeOptions & {
			readonly signal: AbortSignal;
		};

	beforeEach(() => {
		jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate', 'Date'] });
		attempts = 0;
	});
	afterEach(() => jest.useRealTimers());

	it('ends when its events end', async () => {
		const consume = (): Promise<void> => {
			attempts++;
			return Promise.resolve();
		};
		const { signal } = new AbortController();
		await acceptAutomatically(consume, optionsWith(signal), silentLogger);
		expect(attempts).toBe(1);
	});

	it('does not begin after its end', async () => {
		const consume = (): Promise<void> => Promise.reject(new Error(`attempt ${++attempts}`));
		await acceptAutomatically(consume, optionsWith(AbortSignal.abort()), silentLogger);
		expect(attempts).toBe(0);
	});

	it('ends with its signal, also while it pauses after a failure', async () => {
		const abort = new AbortController();
		const errors: unknown[] = [];
		const logger = { ...silentLogger, error: (text: string) => errors.push(text) };
		const consume = (): Promise<void> => Promise.reject(new Error(`attempt ${++attempts}`));
		const ended = acceptAutomatically(consume, optionsWith(abort.signal), logger);
		await until(() => errors.length === 1);
		abort.abort();
		await ended;
		expect(attempts).toBe(1);
	});

	it('reports nothing when its signal ends it', async () => {
		const abort = new AbortController();
		const errors: unknown[] = [];
		const logger = { ...silentLogger, error: (text: string) => errors.push(text) };
		const consume = (): Promise<void> => {
			abort.abort();
			return Promise.reject(new Error('aborted'));
		};
		await acceptAutomatically(consume, optionsWith(abort.signal), logger);
		expect(errors).toEqual([]);
	});
});
