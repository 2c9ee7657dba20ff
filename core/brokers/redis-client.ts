import type { RedisClientOptions } from '@redis/client';
import RedisClient from '@redis/client/dist/lib/client';
import type { RedisConfiguration } from './broker-config';
import {
	Lifetime,
	takeLeave,
	type BrokerConnection,
	type BrokerMessage,
	type ConnectBroker,
	type Publication,
} from './broker-connection';
import { brokerErrors } from './broker-errors';

const connectTimeoutMs = 10_000;

/** `PUBLISH`, whose reply is the number of clients that got the event (docs/protocol/http-api.md 12). */
export const connectRedis: ConnectBroker<RedisConfiguration> = async (
	{ url },
	{ signal, setting },
) => {
	signal.throwIfAborted();
	const client = openClient(url);
	const lifetime = new Lifetime();
	client.on('error', (error) => lifetime.end(error));
	client.on('end', () => lifetime.end(new Error('the connection was closed')));
	const giveUp = (): void => lifetime.end(signal.reason);
	const tooLong = setTimeout(() => lifetime.end(new Error('connect ETIMEDOUT')), connectTimeoutMs);
	signal.addEventListener('abort', giveUp, { once: true });
	try {
		await lifetime.during(client.connect());
		return redisConnection(client, lifetime);
	} catch (cause) {
		destroy(client);
		if (!/^(WRONGPASS|NOAUTH|NOPERM|ERR.*(AUTH|password))/.test(messageOf(cause))) throw cause;
		const at = `${setting}.url`;
		const message = `The broker refuses the user in ${at}.`;
		throw brokerErrors.create('loginRefused', { message, facts: { setting: at }, cause });
	} finally {
		clearTimeout(tooLong);
		signal.removeEventListener('abort', giveUp);
	}
};

type Client = ReturnType<typeof openClient>;

function openClient(url: string) {
	const options = {
		url,
		// Understood by every version of the server.
		RESP: 2,
		disableClientInfo: true,
		disableOfflineQueue: true,
		maintNotifications: 'disabled',
		// One connection is one attempt; who connects again is decided elsewhere.
		socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false },
	} as const satisfies Partial<RedisClientOptions<never, never, never, 2>>;
	return RedisClient.create(options);
}

function redisConnection(client: Client, lifetime: Lifetime): BrokerConnection {
	const publish = async ({ namespace, body }: BrokerMessage): Promise<Publication> => {
		try {
			const receivers = await lifetime.during(client.publish(namespace, body));
			return receivers > 0 ? 'heard' : 'unheard';
		} catch (cause) {
			// What the server answers begins with a word in capitals; it stays connected then.
			if (!client.isReady || !/^(NOPERM|OOM|ERR) /.test(messageOf(cause))) throw cause;
			throw brokerErrors.create('refused', { message: 'The broker refused the event.', cause });
		}
	};
	return {
		publish,
		over: lifetime.over,
		close: async () => {
			await takeLeave(() => client.close());
			destroy(client);
		},
	};
}

function destroy(client: Client): void {
	if (client.isOpen) client.destroy();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
