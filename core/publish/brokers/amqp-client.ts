import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import type { AmqpConfiguration } from './broker-config';
import {
	codeNumberOf,
	Lifetime,
	closeWithTimeout,
	type BrokerConnection,
	type BrokerMessage,
	type ConnectBroker,
	type Publication,
} from './broker-connection';
import { brokerErrors, eventRefused, loginRefused } from './broker-errors';

/**
 * AMQP reply codes: 311 content too large, 403 access refused, 404 not found, 406 precondition
 * failed.
 */
const accessRefused = 403;
const notFound = 404;
const refusals = [311, accessRefused, 406];

/**
 * Connects to RabbitMQ and compatible brokers with publisher confirms and persistent messages
 * (docs/protocol/http-api.md 12).
 */
export const connectAmqp: ConnectBroker<AmqpConfiguration> = async (
	{ url, exchange, timeout },
	{ signal, setting },
) => {
	const cut = new AbortController();
	const tooLong = setTimeout(() => cut.abort(new Error('connect ETIMEDOUT')), timeout);
	const giveUp = (): void => cut.abort(signal.reason);
	signal.addEventListener('abort', giveUp, { once: true });
	try {
		signal.throwIfAborted();
		// The signal goes to the socket itself: amqplib has no other way to abort a connection to a
		// silent peer.
		const socketOptions = { timeout, keepAlive: true, noDelay: true, signal: cut.signal };
		const connection = await connect(url, socketOptions).catch((error: unknown) => {
			throw isRefusedLogin(error) ? loginRefused(`${setting}.url`, error) : error;
		});
		const lifetime = new Lifetime();
		connection.on('error', (error) => lifetime.end(error));
		connection.on('close', (reason) => lifetime.end(reason ?? new Error('connection closed')));
		const channel = await lifetime.during(openChannel(connection, exchange, setting));
		return amqpConnection({ connection, channel, exchange, lifetime, cut });
	} catch (error) {
		cut.abort(error);
		throw error;
	} finally {
		clearTimeout(tooLong);
		signal.removeEventListener('abort', giveUp);
	}
};

/**
 * Opens a channel and checks the exchange; the broker closes the channel when the exchange is
 * missing.
 */
async function openChannel(
	connection: ChannelModel,
	exchange: string,
	setting: string,
): Promise<ConfirmChannel> {
	const channel = await connection.createConfirmChannel();
	// The pending call rejects with the same error, so the event needs no handling of its own.
	channel.on('error', () => undefined);
	if (exchange === '') return channel;
	try {
		await channel.checkExchange(exchange);
	} catch (cause) {
		const code = codeNumberOf(cause);
		const at = `${setting}.exchange`;
		if (code === accessRefused) throw loginRefused(at, cause);
		if (code !== notFound) throw cause;
		throw brokerErrors.create('exchangeNotFound', {
			message: `The exchange that ${at} names does not exist.`,
			facts: { setting: at },
			cause,
		});
	}
	return channel;
}

/**
 * `mandatory` makes the broker return an unroutable message; `persistent` keeps a queued one over a
 * restart.
 */
const properties = { mandatory: true, persistent: true };

interface AmqpResources {
	readonly connection: ChannelModel;
	readonly channel: ConfirmChannel;
	readonly exchange: string;
	readonly lifetime: Lifetime;
	readonly cut: AbortController;
}

function amqpConnection({
	connection,
	channel,
	exchange,
	lifetime,
	cut,
}: AmqpResources): BrokerConnection {
	let isReturned = false;
	let channelError: unknown;
	channel.on('return', () => (isReturned = true));
	channel.on('error', (error) => (channelError = error));
	channel.on('close', () => lifetime.end(channelError ?? new Error('channel closed')));
	const publish = async ({ namespace, body }: BrokerMessage): Promise<Publication> => {
		isReturned = false;
		try {
			const confirmed = Promise.withResolvers<void>();
			channel.publish(exchange, namespace, body, properties, (error: unknown) =>
				error ? confirmed.reject(error) : confirmed.resolve(),
			);
			await lifetime.during(confirmed.promise);
		} catch (error) {
			throw refusalOf(channelError, error);
		}
		return isReturned ? 'unroutable' : 'routed';
	};
	return {
		publish,
		over: lifetime.over,
		close: async () => {
			await closeWithTimeout(() => connection.close());
			cut.abort(new Error('the connection was closed'));
		},
	};
}

/** Refusal of the message: a channel that was closed because of it, or a nack from a full queue. */
function refusalOf(channelError: unknown, error: unknown): unknown {
	const code = codeNumberOf(channelError);
	const isNack = channelError === undefined && String(error).includes('nacked');
	if (!isNack && (code === undefined || !refusals.includes(code))) return channelError ?? error;
	return eventRefused(channelError ?? error);
}

/**
 * Login errors during connecting have no code: amqplib reports a refused user or virtual host as
 * text only.
 */
function isRefusedLogin(error: unknown): boolean {
	return /ACCESS.REFUSED|NOT.ALLOWED|Expected ConnectionOpenOk/.test(String(error));
}
