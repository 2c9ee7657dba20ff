import type { RedisClientOptions } from '@redis/client';
import RedisClient from '@redis/client/dist/lib/client';
import type { RedisConfiguration } from './broker-config';
import {
	Lifetime,
	closeWithTimeout,
	type BrokerConnection,
	type BrokerMessage,
	type ConnectBroker,
	type Publication,
} from './broker-connection';
import { eventRefused, loginRefused } from './broker-errors';

const connectTimeoutMs = 10_000;

/**
 * Publishes with `PUBLISH`, whose reply is the number of receiving clients
 * (docs/protocol/http-api.md 12).
 */
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
		throw loginRefused(`${setting}.url`, cause);
	} finally {
		clearTimeout(tooLong);
		signal.removeEventListener('abort', giveUp);
	}
};

type Client = ReturnType<typeof openClient>;

function openClient(url: string) {
	const options = {
		url,
		// Version 2 of the protocol is supported by every server version.
		RESP: 2,
		disableClientInfo: true,
		disableOfflineQueue: true,
		maintNotifications: 'disabled',
		// {@link BrokerLink} reconnects with its own back-off, so the client must not.
		socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false },
	} as const satisfies Partial<RedisClientOptions<never, never, never, 2>>;
	return RedisClient.create(options);
}

function redisConnection(client: Client, lifetime: Lifetime): BrokerConnection {
	const publish = async ({ namespace, body }: BrokerMessage): Promise<Publication> => {
		try {
			const receivers = await lifetime.during(client.publish(namespace, body));
			return receivers > 0 ? 'routed' : 'unroutable';
		} catch (cause) {
			// An error reply of the server starts with a code in capitals and leaves the connection open.
			if (!client.isReady || !/^(NOPERM|OOM|ERR) /.test(messageOf(cause))) throw cause;
			throw eventRefused(cause);
		}
	};
	return {
		publish,
		over: lifetime.over,
		close: async () => {
			await closeWithTimeout(() => client.close());
			destroy(client);
		},
	};
}

function destroy(client: Client): void {
	if (client.isOpen) client.destroy();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
