import { GatewayError } from '../../../../core/base/errors';
import { PushConnection } from '../../../../core/sync/push/push-connection';
import { TestClock } from '../../../support/clock';

const clock = new TestClock();
const now = (): string => new Date(clock.now()).toISOString();

let connection: PushConnection;
beforeEach(() => {
	connection = new PushConnection(clock);
});

const error = (remedy?: string): GatewayError =>
	new GatewayError({
		code: 'error.gateway.backbone.pushEnded',
		kind: 'unavailable',
		message: 'It ended.',
		facts: {},
		...(remedy === undefined ? {} : { remedy }),
	});

const open = (): void => {
	connection.heard({ kind: 'opened' });
};
const lose = (): void => {
	connection.heard({ kind: 'lost', error: error(), retryInMs: 1 });
};

describe('the state of a push connection', () => {
	it('is off at first, and says so', () => {
		expect(connection.status).toStrictEqual({
			state: 'off',
			message: expect.stringMatching(/^No trigger and no server/),
		});
		expect(connection.connectedSince).toBeUndefined();
	});

	it.each([
		['elsewhere', /^Another process/, false],
		['connecting', /^The push connection is being opened/, true],
	] as const)('is %s since it was entered', (kind, message, hasTime) => {
		connection.enter(kind);
		const since = now();
		clock.advance(1_000);
		connection.enter(kind);
		expect(connection.status).toStrictEqual({
			state: kind,
			message: expect.stringMatching(message),
			...(hasTime ? { since } : {}),
		});
		expect(connection.connectedSince).toBeUndefined();
	});

	it('is connected from the opening on', () => {
		connection.enter('connecting');
		clock.advance(1_000);
		open();
		expect(connection.connectedSince).toBe(clock.now());
		expect(connection.status).toStrictEqual({
			state: 'connected',
			since: now(),
			message: expect.stringMatching(/^Push works: .*at once\.$/),
		});
		connection.enter('off');
		expect(connection.status.state).toBe('off');
	});

	it('is unavailable since the first failure', () => {
		open();
		clock.advance(1_000);
		const since = now();
		lose();
		clock.advance(1_000);
		connection.failed(error('Try again.'));
		expect(connection.status).toStrictEqual({
			state: 'unavailable',
			since,
			code: 'error.gateway.backbone.pushEnded',
			message: 'Push does not work; events are found at the interval. It ended. Try again.',
		});
		open();
		clock.advance(1_000);
		lose();
		expect(connection.status).toMatchObject({
			since: now(),
			message: 'Push does not work; events are found at the interval. It ended.',
		});
	});
});

describe('a push signal', () => {
	it.each([
		['ExternalEventCreated', true],
		['DeletionProcessStarted', true],
		['DeletionProcessCancelledByOwner', true],
		['DeletionProcessStartedSoon', false],
		['NoDeletionProcessStarted', false],
		['DatawalletModificationsCreated', false],
	])('of %s announces an event: %s', (name, expected) => {
		expect(connection.heard({ kind: 'event', name })).toBe(expected);
		expect(connection.lastEventAt).toBe(expected ? clock.now() : undefined);
		expect(connection.status.lastEventAt).toBe(expected ? now() : undefined);
	});

	it.each(['opened', 'lost'] as const)('that the connection was %s announces none', (kind) => {
		const signal = { kind, error: error(), name: 'ExternalEventCreated' };
		expect(connection.heard(signal as Parameters<PushConnection['heard']>[0])).toBe(false);
		expect(connection.lastEventAt).toBeUndefined();
	});
});

describe('connections that end again and again', () => {
	const cut = (lastedMs: number): void => {
		open();
		clock.advance(lastedMs);
		lose();
	};
	const namesProxy = (): boolean => {
		open();
		return connection.status.message.includes('proxy_read_timeout');
	};

	it.each([
		[9_999, false],
		[10_000, true],
		[239_999, true],
		[240_000, false],
	])('after %i ms name the proxy: %s', (lastedMs, expected) => {
		for (let times = 0; times < 3; times++) cut(lastedMs);
		expect(namesProxy()).toBe(expected);
	});

	it('name the proxy from the third time on, and while they work', () => {
		for (let times = 1; times <= 2; times++) {
			cut(60_000);
			expect(namesProxy()).toBe(false);
		}
		clock.advance(60_000);
		lose();
		expect(connection.status.message).not.toContain('proxy');
		expect(namesProxy()).toBe(true);
		expect(connection.status.message).toMatch(/^Push works: .* It is ended every few seconds/);
	});

	it('name no proxy after a connection that has lasted', () => {
		for (let times = 0; times < 2; times++) cut(60_000);
		cut(240_000);
		cut(60_000);
		expect(namesProxy()).toBe(false);
	});

	it('are counted once for each opening', () => {
		cut(60_000);
		for (let times = 0; times < 5; times++) {
			clock.advance(60_000);
			lose();
		}
		expect(namesProxy()).toBe(false);
	});
});
