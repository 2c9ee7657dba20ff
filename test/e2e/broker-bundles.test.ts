import { join } from 'node:path';
import type { BrokerConnection, ConnectBroker } from '../../core/publish/brokers/broker-connection';
import { projectRoot } from '../../scripts/docs/source-files';
import { mosquitto } from '../contract/brokers/support/mosquitto';
import { rabbitmq } from '../contract/brokers/support/rabbitmq';
import { redis } from '../contract/brokers/support/redis';
import { until } from '../support/until';

jest.setTimeout(180_000);

/* The build leaves out what the clients of brokers do not need: the published files talk to real ones. */
const bundles = [
	{ kind: rabbitmq, file: 'amqp-client', name: 'connectAmqp' },
	{ kind: mosquitto, file: 'mqtt-client', name: 'connectMqtt' },
	{ kind: redis, file: 'redis-client', name: 'connectRedis' },
];

describe('the published client', () => {
	for (const { kind, file, name } of bundles) {
		const test = kind.missing === undefined ? it : it.skip;
		test(`${file}.js publishes to a broker of type ${kind.type}${kind.missing ?? ''}`, async () => {
			// eslint-disable-next-line @typescript-eslint/no-require-imports -- the file that was built
			const bundle = require(join(projectRoot, 'dist', 'brokers', `${file}.js`)) as Record<
				string,
				ConnectBroker<unknown>
			>;
			const broker = await kind.create();
			let connection: BrokerConnection | undefined;
			try {
				await broker.start();
				const subscriber = await broker.subscribe();
				const { configuration } = broker.settings();
				const { signal } = new AbortController();
				connection = await bundle[name]?.(configuration, { signal, setting: '' });
				const namespace = 'transport.messageReceived';
				expect(await connection?.publish({ namespace, body: Buffer.from('{"id":1}') })).toBe(
					'routed',
				);
				await until(() => subscriber.received.length === 1);
				expect(subscriber.received).toEqual([
					{ to: kind.destinationOf(namespace), body: '{"id":1}', properties: kind.properties },
				]);
				await subscriber.close();
			} finally {
				await connection?.close();
				await broker.dispose();
			}
		});
	}
});
