import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import type { AmqpConfiguration } from './broker-config';
import {
	codeNumberOf,
	Lifetime,
	takeLeave,
	type BrokerConnection,
	type BrokerMessage,
	type ConnectBroker,
	type Publication,
} from './broker-connection';
import { brokerErrors } from './broker-errors';

/** Reply codes of the protocol: the user may not, the message is not wanted, there is no such thing. */
const accessRefused = 403;
const notFound = 404;
const refusals = [311, accessRefused, 406];

/** RabbitMQ and its like: publisher confirms, persistent messages (docs/protocol/http-api.md 12). */
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
		// Sockets take a signal: nothing else cuts one of this client whose peer has fallen silent.
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

/** The broker closes a channel that asks for an exchange that is not there. */
async function openChannel(
	connection: ChannelModel,
	exchange: string,
	setting: string,
): Promise<ConfirmChannel> {
	const channel = await connection.createConfirmChannel();
	// What closed the channel is told by the calls that it fails.
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
			message: `There is no exchange of the name in ${at}.`,
			facts: { setting: at },
			cause,
		});
	}
	return channel;
}

/** What no queue takes comes back before its confirmation; what one takes survives a restart. */
const properties = { mandatory: true, persistent: true };

interface AmqpParts {
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
}: AmqpParts): BrokerConnection {
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
		return isReturned ? 'unheard' : 'heard';
	};
	return {
		publish,
		over: lifetime.over,
		close: async () => {
			await takeLeave(() => connection.close());
			cut.abort(new Error('the connection was closed'));
		},
	};
}

/** A channel that was closed because of the message, or a message that a full queue sent back. */
function refusalOf(channelError: unknown, error: unknown): unknown {
	const code = codeNumberOf(channelError);
	const isNack = channelError === undefined && String(error).includes('nacked');
	if (!isNack && (code === undefined || !refusals.includes(code))) return channelError ?? error;
	const message = 'The broker refused the event.';
	return brokerErrors.create('refused', { message, cause: channelError ?? error });
}

function loginRefused(setting: string, cause: unknown): unknown {
	const message = `The broker refuses the user in ${setting}.`;
	return brokerErrors.create('loginRefused', { message, facts: { setting }, cause });
}

/** Told in words while the connection is opened: of a user, or of a virtual host that it has not. */
function isRefusedLogin(error: unknown): boolean {
	return /ACCESS.REFUSED|NOT.ALLOWED|Expected ConnectionOpenOk/.test(String(error));
}
