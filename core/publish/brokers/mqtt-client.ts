import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { isKeyOf } from '../../base/members';
import { mqttProtocols, type MqttConfiguration } from './broker-config';
import {
	codeNumberOf,
	Lifetime,
	closeWithTimeout,
	type BrokerConnection,
	type BrokerMessage,
	type ConnectBroker,
	type Publication,
} from './broker-connection';
import { eventRefused, loginRefused } from './broker-errors';

const connectTimeoutMs = 10_000;

/** MQTT reason codes: version 5, and versions 3 where their codes differ. */
const loginRefusals = [4, 5, 134, 135];
const versionRefusals = [1, 132];
const noMatchingSubscribers = 16;
/** not authorized, topic name invalid, packet too large, quota exceeded, payload format invalid */
const messageRefusals = [135, 144, 149, 151, 153];

/**
 * Publishes with quality of service 1: the cursor waits for the PUBACK (docs/protocol/http-api.md
 * 12). Version 5 reports refusals and missing subscribers; brokers that do not support it get
 * 3.1.1.
 */
export const connectMqtt: ConnectBroker<MqttConfiguration> = async (configuration, options) => {
	try {
		return await connectWith(5, configuration, options);
	} catch (error) {
		if (!versionRefusals.includes(codeNumberOf(error) ?? 0)) throw error;
		return await connectWith(4, configuration, options);
	}
};

async function connectWith(
	protocolVersion: 4 | 5,
	{ url }: MqttConfiguration,
	{ signal, setting }: Parameters<typeof connectMqtt>[1],
): Promise<BrokerConnection> {
	signal.throwIfAborted();
	const settings: IClientOptions = {
		protocolVersion,
		clean: true,
		connectTimeout: connectTimeoutMs,
		// {@link BrokerLink} reconnects with its own back-off, so the client must not.
		reconnectPeriod: 0,
		resubscribe: false,
	};
	const client = connect({ ...settings, ...addressOptions(url) });
	const lifetime = lifetimeOf(client);
	const connected = new Promise<void>((resolve) => client.once('connect', () => resolve()));
	const giveUp = (): void => void client.end(true);
	signal.addEventListener('abort', giveUp, { once: true });
	try {
		await lifetime.during(connected);
		signal.throwIfAborted();
		return mqttConnection(client, lifetime);
	} catch (cause) {
		client.end(true);
		if (!loginRefusals.includes(codeNumberOf(cause) ?? 0)) throw cause;
		throw loginRefused(`${setting}.url`, cause);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}

/** Splits an address into client options; the client would parse it with a deprecated function. */
function addressOptions(address: string): IClientOptions {
	const { protocol, hostname, port, username, password, pathname, search, searchParams } = new URL(
		address,
	);
	const scheme = protocol.slice(0, -1);
	const isWebSocket = scheme.startsWith('ws');
	// Sockets expect an IPv6 address without brackets, WebSocket addresses with them.
	const host = isWebSocket ? hostname : hostname.replace(/^\[(.*)\]$/, '$1');
	const clientId = searchParams.get('clientId');
	return {
		...(isKeyOf(mqttProtocols, scheme) ? { protocol: mqttProtocols[scheme] } : {}),
		host,
		hostname: host,
		...(port === '' ? {} : { port: Number(port) }),
		...(isWebSocket ? { path: `${pathname}${search}` } : {}),
		...(username === '' ? {} : { username: decodeURIComponent(username) }),
		...(password === '' ? {} : { password: decodeURIComponent(password) }),
		...(clientId === null ? {} : { clientId }),
	};
}

function lifetimeOf(client: MqttClient): Lifetime {
	const lifetime = new Lifetime();
	client.on('error', (error) => lifetime.end(error));
	client.on('disconnect', ({ reasonCode }) =>
		lifetime.end(Object.assign(new Error('the broker disconnected'), { code: reasonCode })),
	);
	client.on('close', () => lifetime.end(new Error('the connection was closed')));
	return lifetime;
}

function mqttConnection(client: MqttClient, lifetime: Lifetime): BrokerConnection {
	let lastReason: number | undefined;
	client.on('packetreceive', (packet) => {
		if (packet.cmd === 'puback') lastReason = packet.reasonCode;
	});
	const publish = async ({ namespace, body }: BrokerMessage): Promise<Publication> => {
		lastReason = undefined;
		const topic = namespace.replaceAll('.', '/');
		try {
			await lifetime.during(client.publishAsync(topic, body, { qos: 1, retain: false }));
		} catch (cause) {
			if (!messageRefusals.includes(codeNumberOf(cause) ?? 0)) throw cause;
			throw eventRefused(cause);
		}
		return lastReason === noMatchingSubscribers ? 'unroutable' : 'routed';
	};
	return {
		publish,
		over: lifetime.over,
		close: async () => {
			await closeWithTimeout(() => client.endAsync());
			client.end(true);
		},
	};
}
