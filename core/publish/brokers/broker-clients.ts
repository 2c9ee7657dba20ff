import type { SupportedBroker } from './broker-config';
import type { BrokerConnection, ConnectOptions } from './broker-connection';

/** Imports a client on first use only, because each is a bundle of its own. */
export function connectorOf(
	broker: SupportedBroker,
): (options: ConnectOptions) => Promise<BrokerConnection> {
	switch (broker.type) {
		case 'AMQP':
			return async (options) =>
				await (await import('./amqp-client')).connectAmqp(broker.configuration, options);
		case 'MQTT':
			return async (options) =>
				await (await import('./mqtt-client')).connectMqtt(broker.configuration, options);
		case 'Redis':
			return async (options) =>
				await (await import('./redis-client')).connectRedis(broker.configuration, options);
	}
}
