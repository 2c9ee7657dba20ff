import { connect } from 'amqplib';
import { runBrokers } from '../../../core/publish/brokers/run-brokers';
import { retrySchema } from '../../../core/events/delivery/delivery-queue';
import type { Gateway } from '../../../core';
import { openLog } from '../../support/log-lines';
import { until } from '../../support/until';
import { describeBrokerContract } from './broker.contract';
import { rabbitmq } from './support/rabbitmq';

describeBrokerContract(rabbitmq, ({ broker, events }) => {
	describe('exchanges of RabbitMQ', () => {
		const url = (): string => broker().settings().configuration.url;

		/** Runs with an exchange while the test does something. */
		async function withExchange(
			exchange: string,
			during: (lines: readonly string[]) => Promise<void>,
		): Promise<void> {
			const { logger, lines } = openLog();
			const configuration = { url: url(), exchange, timeout: 10_000 };
			const running = await runBrokers(
				{ facade: { events: events().newProcess() as unknown as Gateway['events'] }, logger },
				{ brokers: [{ type: 'AMQP', configuration }], retry: retrySchema.parse({}) },
			);
			await during(lines).finally(() => running.close());
		}

		it('that do not exist are named by their setting, and used as soon as they exist', async () => {
			await withExchange('later', async (lines) => {
				await until(() => lines.some((line) => line.includes('exchangeNotFound')));
				expect(lines[0]).toContain(
					'"setting":"modules.messageBrokerPublisher.brokers.0.configuration.exchange"',
				);
				await events().append({ id: 1 });
				const connection = await connect(url());
				const channel = await connection.createChannel();
				await channel.assertExchange('later', 'fanout');
				const { queue } = await channel.assertQueue('');
				await channel.bindQueue(queue, 'later', '');
				await until(async () => (await channel.checkQueue(queue)).messageCount === 1);
				await connection.close();
			});
		});

		it("need no name: the broker's own one routes to queues that are called like events", async () => {
			const connection = await connect(url());
			const channel = await connection.createChannel();
			await channel.assertQueue('transport.messageReceived');
			await withExchange('', async () => {
				await events().append({ id: 1, name: 'consumption.attributeCreated' }, { id: 2 });
				await until(
					async () => (await channel.checkQueue('transport.messageReceived')).messageCount === 1,
				);
				const message = await channel.get('transport.messageReceived', { noAck: true });
				expect(message === false ? '' : message.content.toString()).toBe('{"id":2}');
			});
			await connection.close();
		});
	});
});
